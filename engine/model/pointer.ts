/** JSON pointers: the place of a value inside a file. The file's root is ''. */
export const below = (pointer: string, key: string | number): string =>
  `${pointer}/${typeof key === 'string' && /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`

export const segments = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The nearest pointer above; undefined above the root. */
export const above = (pointer: string): string | undefined =>
  pointer ? pointer.slice(0, pointer.lastIndexOf('/')) : undefined
