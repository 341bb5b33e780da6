/* oxlint-disable typescript/no-explicit-any -- a list of views holds those of every value */
import { createContext, useContext } from 'react'
import type { ComponentType } from 'react'
import type {
  Dictionary,
  EntityPlan,
  Field,
  FileValue,
  Filter,
  FilterValue,
  Label,
  OptionsResult,
  RecordData,
  Value,
  Widget,
} from '../model/model.ts'

/**
 * Controlled. `onChange` passes on the input, canonical on blur at the latest. The label (`<label htmlFor={id}>`) is
 * rendered outside.
 */
export interface EditProps<V extends Value = Value> {
  id: string
  value: V | null
  onChange(value: V | null): void
  onBlur?(): void
  field: Field
  disabled?: boolean
  invalid?: boolean
  required?: boolean
  /** The id of the element with the hint or the problem. */
  describedBy?: string
  placeholder?: string
  autoFocus?: boolean
  label: string
}

export interface DisplayProps<V extends Value = Value> {
  value: V | null
  field: Field
  label: string
}

export interface FilterProps {
  id: string
  value: FilterValue | undefined
  onChange(value: FilterValue | undefined): void
  field: Field
  label: string
  /** Part of what was typed cannot be read. */
  invalid?: boolean
  /** The id of the element that says why. */
  describedBy?: string
  /** Enter runs the query. */
  onEnter?(): void
}

/** The React half of a widget. */
export interface WidgetView {
  Edit: ComponentType<EditProps<any>>
  /** If absent, `widget.text` is rendered. */
  Display?: ComponentType<DisplayProps<any>>
  /** If absent, the engine's own filter for the widget's first operator. */
  Filter?: ComponentType<FilterProps>
  /** Renders a list cell instead of `widget.text`. */
  Cell?: ComponentType<DisplayProps<any>>
  /** Takes a full row of the form. */
  wide?: boolean
}

/** A view that is loaded on first render. */
export interface LazyView {
  (): Promise<WidgetView>
  /** What lists draw without loading the view; `true` if it has to be loaded for that. */
  Cell?: ComponentType<DisplayProps<any>> | true
}

/** What the engine provides to widgets. */
export interface EngineContext {
  language: string
  text(label: Label): string
  dictionary(name: string): Dictionary
  /** The business clock, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
  now(): string
  widgets: Record<string, Widget>
  views: Record<string, WidgetView | LazyView>
  entity(name: string): EntityPlan | undefined
  /** The administrators' settings that the screen's expressions read: entity → its one record. */
  settings?: Readonly<Record<string, RecordData>>
  /**
   * The options of a reference, twenty at a time; `filter` narrows them (the reference's own filter, the children of a
   * tree node).
   */
  options(
    entity: string,
    query: { search?: string; ids?: number[]; page?: number; filter?: Filter; all?: boolean },
  ): Promise<OptionsResult>
  /** `onProgress` runs from 0 to 100. */
  upload(file: File, onProgress: (percent: number) => void): Promise<FileValue>
}

export const EngineReact = createContext<EngineContext>(null as unknown as EngineContext)

export function useEngine(): EngineContext {
  const engine = useContext(EngineReact)
  if (!engine) throw new Error('useEngine: no EngineReact.Provider above')
  return engine
}
