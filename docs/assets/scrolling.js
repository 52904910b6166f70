// Tables and code that are wider than the window can be focused, so that arrow keys scroll them.
function letScrollersBeFocused() {
  for (const part of document.querySelectorAll(".md-typeset__scrollwrap, pre > code"))
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
}
for (const event of ["load", "resize", "toggle"])
  addEventListener(event, letScrollersBeFocused, { capture: true });
