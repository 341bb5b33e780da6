/** Runs in the page. Dialogs and messages come first, because they say most. */
export function visibleTexts(): string[] {
  const places = ['dialog', 'alert', 'status'].map((role) => `[role=${role}]`)
  return [...places, 'main']
    .flatMap((place) => [...document.querySelectorAll<HTMLElement>(place)])
    .filter((element) => element.checkVisibility())
    .map((element) => element.innerText.trim().replace(/\s*\n\s*/g, ' · '))
    .filter((text, index, all) => text !== '' && all.indexOf(text) === index)
}
