"""Types of the arrays that kernels take and return, for their stubs."""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Places = NDArray[np.int32]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
