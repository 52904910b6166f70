"""Programs of other environments, and what they print."""

import subprocess


def run(*command, **settings):
    """Run a program; return what it prints."""
    done = subprocess.run(
        [str(one) for one in command], capture_output=True, text=True, check=False, **settings
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout
