import type { FormModel } from '../../client/form.tsx'
import { drawnColumns, type ArrangedColumn } from './columnChoices.ts'
import type { ScreenFrame } from '../../client/frame.ts'
import type { RecordData, ScreenBundle, ScreenPlan } from '../../model/model.ts'
import type { ListPlan } from './list.ts'

/** The current list around the editable cells. */
export interface CellsHost {
  screen: ScreenPlan<ListPlan>
  bundle: ScreenBundle
  frame: ScreenFrame
  columns: ArrangedColumn[]
  rows: { record: RecordData }[]
  /** Reloads the rows; resolves once they have arrived. */
  reload(): Promise<void>
  /** A narrow list is edited in its forms, because it has no room for a control and its message. */
  enabled: boolean
}

/** A cell being edited. Its input stays here even if its row is no longer drawn. */
export class CellSession {
  readonly key: string
  readonly field: string
  record: RecordData
  model: FormModel | undefined
  dirty = false
  /** On closing, returns the focus to its cell. */
  returns = false
  /** Just opened, so it takes the focus when it is drawn. */
  private fresh = true

  constructor(record: RecordData, field: string, begun?: CellSession) {
    this.key = keyOf(record, field)
    this.field = field
    this.record = begun?.record ?? record
    this.model = begun?.model
    this.dirty = begun?.dirty ?? false
  }

  /**
   * Follows the current record until the user types; from then on, other users' changes are reported and not taken
   * over.
   */
  read(record: RecordData): RecordData {
    if (!this.dirty) this.record = record
    return this.record
  }

  keep(model: FormModel): void {
    this.model = model
  }
  setReturns(returns: boolean): void {
    this.returns = returns
  }

  /** True once. */
  takesFocus(): boolean {
    const { fresh } = this
    this.fresh = false
    return fresh
  }
}

/** Directions to leave a cell. */
export type Way = 'up' | 'down' | 'left' | 'right'
export type CanEdit = (field: string, record: RecordData) => boolean

export const keyOf = ({ id }: RecordData, field: string): string => `${id}.${field}`

/** The cells of a list being edited: the active one, and those whose save is pending or was refused. */
export class CellSessions {
  private readonly host: { readonly current: CellsHost }
  private readonly open = new Map<string, CellSession>()
  private readonly listeners = new Set<() => void>()
  /** The cell to focus when it is drawn again. */
  private returning: string | undefined

  constructor(host: { readonly current: CellsHost }) {
    this.host = host
  }

  sessionOf = (key: string): CellSession | undefined => this.open.get(key)

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  begin(record: RecordData, field: string): void {
    const key = keyOf(record, field)
    this.open.set(key, new CellSession(record, field, this.open.get(key)))
    this.notify()
  }

  /** Whether the cell was closed with the focus returning to it. True once. */
  takesFocus(key: string): boolean {
    const takes = this.returning === key
    if (takes) this.returning = undefined
    return takes
  }

  end(session: CellSession): void {
    if (!this.open.delete(session.key)) return
    if (session.returns) this.returning = session.key
    this.mark(session, false)
    this.notify()
  }

  /** Reports unsaved work to the frame, and keeps the window from closing. */
  mark(session: CellSession, dirty: boolean): void {
    session.dirty = dirty
    const any = [...this.open.values()].some((each) => each.dirty)
    this.host.current.frame.setDirty(any)
    if (any) window.addEventListener('beforeunload', guard)
    else window.removeEventListener('beforeunload', guard)
  }

  /** The next editable cell: above or below in the column, or in reading order. */
  next({ record, field }: CellSession, way: Way, canEdit: CanEdit): { record: RecordData; field: string } | undefined {
    const { rows, columns } = this.host.current
    const fields =
      way === 'up' || way === 'down'
        ? [field]
        : drawnColumns(columns, false).flatMap((column) => (column.edit ? [column.field] : []))
    const cells = rows.flatMap((row) => fields.map((name) => ({ record: row.record, field: name })))
    const place = cells.findIndex((cell) => cell.record.id === record.id && cell.field === field)
    if (place === -1) return undefined
    const following = way === 'down' || way === 'right' ? cells.slice(place + 1) : cells.slice(0, place).reverse()
    return following.find((cell) => canEdit(cell.field, cell.record))
  }

  private notify() {
    this.listeners.forEach((listener) => listener())
  }
}

const guard = (event: BeforeUnloadEvent) => event.preventDefault()

const known = new WeakMap<object, CellSessions>()

/** The sessions of a list, for as long as it is mounted. */
export function useCellSessions(host: { readonly current: CellsHost }): CellSessions {
  const sessions = known.get(host) ?? new CellSessions(host)
  known.set(host, sessions)
  return sessions
}
