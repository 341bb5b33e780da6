const ends = { pointerdown: ['pointerup', 'pointercancel'], keydown: ['keyup', 'blur'] } as const

let released = Promise.resolve()
let isWatching = false

function hold({ type }: Event): void {
  released = new Promise((resolve) => {
    const release = () => {
      for (const end of ends[type as keyof typeof ends]) window.removeEventListener(end, release)
      // The click comes after the release.
      setTimeout(resolve)
    }
    for (const end of ends[type as keyof typeof ends]) window.addEventListener(end, release)
  })
}

/** Whether a pointer or key is held down: an element that is replaced meanwhile gets no click. */
export const presses = {
  /** From now on; once for the whole page. */
  watch(): void {
    if (isWatching) return
    isWatching = true
    for (const begin of Object.keys(ends)) window.addEventListener(begin, hold, true)
  },
  /** Resolves once nothing is held down, and the click of what was has been handled. */
  async released(): Promise<void> {
    for (let waited; waited !== released; await waited) waited = released
  },
}
