/** Why a text is no regular expression; undefined where it is one. */
export function patternFault(text: string): string | undefined {
  try {
    new RegExp(text, 'u')
    return undefined
  } catch (error) {
    // What stands after the pattern, which is quoted by whoever tells it.
    return (error as Error).message.split(': ').at(-1)
  }
}
