export interface Address {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface Connection {
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  end(): Promise<void>
  /** Calls back at the end of the session, without keeping the process alive. */
  onEnd(listener: () => void): void
}

/** Rejects with the driver's error: its `code` is a system error's or PostgreSQL's SQLSTATE. */
export type Connect = (address: Address, applicationName: string) => Promise<Connection>
