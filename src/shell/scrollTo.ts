/**
 * Scrolls a box as little as it takes to show an element in it. `scrollIntoView` would also let the next Tab start from
 * the element, so that a new page would not begin at its skip link.
 */
export function scrollTo(box: Element, element: Element): void {
  const [around, within] = [box.getBoundingClientRect(), element.getBoundingClientRect()]
  if (within.top < around.top) box.scrollTop -= around.top - within.top
  else if (within.bottom > around.bottom) box.scrollTop += within.bottom - around.bottom
}
