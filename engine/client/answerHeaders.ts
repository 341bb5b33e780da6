/** The server's business time. */
const clockHeader = 'x-business-time'
/** Counts changes that administrators made to settings that screens show. */
const settingsHeader = 'x-settings-version'
/** The hash of the schema files behind the answer. */
const catalogHeader = 'x-catalog'

export interface ServerNews {
  /** Called when an answer shows that administrators have changed such settings, and nothing else has. */
  onSettings?(): void
  /**
   * Called when an answer shows that the server now uses other schema files; anything it returned earlier may be
   * outdated.
   */
  onSchemas?(hash: string): void
}

/** Reads what every answer says about the server itself. */
export function answerHeaders({ onSettings, onSchemas }: ServerNews) {
  const clock = createClock()
  let settings = 0
  let catalog: string | undefined

  function areSettingsLater(version: number): boolean {
    const isLater = settings > 0 && version > settings
    settings = Math.max(settings, version)
    return isLater
  }

  function otherCatalog(hash: unknown): string | undefined {
    if (typeof hash !== 'string' || hash === catalog) return undefined
    const isFirst = catalog === undefined
    catalog = hash
    return isFirst ? undefined : hash
  }

  return {
    now: clock.now,
    read(headers: Record<string, unknown>) {
      clock.set(headers[clockHeader])
      const areLater = areSettingsLater(Number(headers[settingsHeader] ?? 0))
      const other = otherCatalog(headers[catalogHeader])
      // New schema files also refresh everything that changed settings refresh.
      if (other !== undefined) onSchemas?.(other)
      else if (areLater) onSettings?.()
    },
  }
}

/** Continues from the last time the server sent; before the first one, from the machine's own clock. */
function createClock() {
  const offset = 8 * 3600_000
  let ahead = 0
  return {
    now: () => new Date(Date.now() + offset + ahead).toISOString().slice(0, 19).replace('T', ' '),
    set(text: unknown) {
      const time = typeof text === 'string' ? Date.parse(`${text.replace(' ', 'T')}Z`) : NaN
      if (!Number.isNaN(time)) ahead = time - offset - Date.now()
    },
  }
}
