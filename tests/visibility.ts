/** jsdom has no layout and no `checkVisibility`, so everything counts as visible unless a style hides it. */
if (typeof Element !== 'undefined') {
  Element.prototype.checkVisibility ??= () => true
  keepOnlyHiding()
}

/**
 * Of a component's styles only those are kept that hide something: jsdom compares every rule with every element that a
 * query by role passes, which took a third of the time of such tests.
 */
function keepOnlyHiding(): void {
  const { get, set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')!
  const whole = new WeakMap<Element, string>()
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
    configurable: true,
    // Whoever compares the text with another sees what was written.
    get(this: Element) {
      return whole.get(this) ?? (get!.call(this) as string)
    },
    set(this: Element, text: string) {
      whole.set(this, text)
      set!.call(this, hidingOf(text))
    },
  })
}

function hidingOf(text: string): string {
  if (!/display:\s*none|visibility:\s*hidden/.test(text)) return ''
  const rules = text.replace(/@[^{}]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  return [...rules.matchAll(/([^{}]+)\{([^{}]*)\}/g)]
    .map(([, selector, body]) => [selector, body.match(/(?<![\w-])(display|visibility):[^;}]*/g)] as const)
    .flatMap(([selector, kept]) => (kept ? `${selector}{${kept.join(';')}}` : []))
    .join('\n')
}
