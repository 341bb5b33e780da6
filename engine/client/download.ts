/** `attachment; filename="a.xlsx"; filename*=UTF-8''%E5%AE%A2.xlsx`: the second wins if both are given. */
export function fileNameOf(disposition: unknown): string | undefined {
  if (typeof disposition !== 'string') return undefined
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? /filename=([^;]+)/i.exec(disposition)?.[1].trim()
}

export function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoking at once would cancel the download in browsers that start it later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
