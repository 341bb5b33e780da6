import { TreeSelect } from 'antd'
import type { TreeSelectProps } from 'antd'
import { useRef, useState } from 'react'
import { useEngine } from '../../client/view.ts'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import type { Filter } from '../../model/model.ts'
import { chosenValue, useDebounced, useNamed } from '../reference/options.view.tsx'
import type { Option } from '../reference/options.view.tsx'
import { isReference } from '../reference/reference.ts'
import type { Reference, ReferenceOptions } from '../reference/reference.ts'
import { optionTexts } from '../reference/reference.view.tsx'
import { selectProps } from '../text/text.view.tsx'
import { pathText } from './tree.ts'

type Node = Option & { children?: Node[] }
/** A level has few nodes; more pages of one than this would be no tree to look through. */
const pagesOfLevel = 20

interface TreePickerProps extends Omit<TreeSelectProps, 'value' | 'onChange' | 'treeData' | 'loadData'> {
  of: ReferenceOptions
  chosen: Reference | undefined
  onChosen(chosen: Reference | undefined): void
}

/** A drop-down tree: a level is fetched when it is opened, and a search shows what it finds with its path. */
function TreePicker({ of, chosen, onChosen, ...rest }: TreePickerProps) {
  const engine = useEngine()
  const [named] = useNamed(of.entity, chosen ? [chosen] : [])
  const [roots, setRoots] = useState<Node[]>([])
  const [found, setFound] = useState<Node[] | null>(null)
  const [status, setStatus] = useState(optionTexts.loading)
  const latest = useRef(0)
  const tree = engine.entity(of.entity)?.tree
  const depth = tree?.depth ?? Infinity

  const level = async (parent: number | null): Promise<Node[]> => {
    const filter: Filter = { ...of.filter, [tree?.parent ?? 'parent']: parent ?? { empty: true } }
    const nodes: Node[] = []
    let fetched = 0
    for (let page = 1; page <= pagesOfLevel; page++) {
      const { list, total } = await engine.options(of.entity, { page, filter })
      nodes.push(...list.filter((option) => option.parent === undefined || option.parent === parent))
      fetched += list.length
      if (fetched >= total || list.length === 0) break
    }
    return nodes
  }
  /** Shows what a task brings, unless a later one has been started since. */
  const show = async (task: Promise<Node[]>, into: (nodes: Node[]) => void) => {
    const request = ++latest.current
    setStatus(optionTexts.loading)
    try {
      const nodes = await task
      if (request !== latest.current) return
      into(nodes)
      setStatus(optionTexts.none)
    } catch {
      if (request === latest.current) setStatus(optionTexts.failed)
    }
  }
  const search = useDebounced((typed: string) => {
    if (typed.trim() === '') {
      latest.current++
      setFound(null)
      return
    }
    void show(
      engine.options(of.entity, { search: typed.trim(), filter: of.filter }).then(({ list }) => list),
      setFound,
    )
  })
  const expand = async (id: number) => {
    const children = await level(id).catch(() => undefined)
    if (children) setRoots((old) => old.map((root) => grow(root, id, children)))
  }

  const nodes = found ?? roots
  const title = (node: Node) => (found ? pathText(node) : node.name)
  const treeData = (list: Node[], above: string[]): TreeSelectProps['treeData'] =>
    list.map((node) => ({
      value: node.id,
      title: title(node),
      disabled: node.disabled,
      isLeaf: found !== null || node.children?.length === 0 || above.length + 1 >= depth,
      children: found ? undefined : node.children && treeData(node.children, [...above, node.name]),
    }))
  return (
    <TreeSelect
      style={{ width: '100%' }}
      {...rest}
      showSearch
      labelInValue
      filterTreeNode={false}
      value={(named && { value: named.id, label: pathText(named) }) as never}
      onChange={
        ((picked: { value: number } | undefined) => {
          const way = picked && wayTo(nodes, picked.value)
          if (!picked) onChosen(undefined)
          else if (way) {
            const path = found ? {} : { path: way.map((node) => node.name) }
            onChosen({ ...path, ...chosenValue(withoutChildren(way[way.length - 1])) })
          }
        }) as never
      }
      treeData={treeData(nodes, [])}
      loadData={(node) => expand(node.value as number)}
      notFoundContent={engine.text(status)}
      onSearch={search}
      onOpenChange={(open) => {
        if (!open) return
        setFound(null)
        if (roots.length === 0) void show(level(null), setRoots)
      }}
    />
  )
}

const withoutChildren = ({ children: _children, ...option }: Node): Option => option

function grow(node: Node, id: number, children: Node[]): Node {
  if (node.id === id) return { ...node, children }
  return node.children ? { ...node, children: node.children.map((child) => grow(child, id, children)) } : node
}

/** The nodes from a root down to this one. */
function wayTo(nodes: Node[], id: number): Node[] | undefined {
  for (const node of nodes) {
    if (node.id === id) return [node]
    const below = node.children && wayTo(node.children, id)
    if (below) return [node, ...below]
  }
  return undefined
}

function TreeEdit(props: EditProps<Reference>) {
  return (
    <TreePicker
      {...selectProps(props)}
      of={props.field.options as ReferenceOptions}
      chosen={isReference(props.value) ? props.value : undefined}
      onChosen={(chosen) => props.onChange(chosen ?? null)}
      onBlur={() => props.onBlur?.()}
      allowClear={!props.required}
    />
  )
}

/** A node with everything below it. */
function TreeFilter({ id, value, onChange, field, label }: FilterProps) {
  return (
    <TreePicker
      id={id}
      aria-label={label}
      of={{ entity: field.options.entity }}
      chosen={typeof value?.under === 'number' ? { id: value.under } : undefined}
      onChosen={(chosen) => onChange(chosen && { under: chosen.id })}
      allowClear
    />
  )
}

export const treeView: WidgetView = { Edit: TreeEdit, Filter: TreeFilter }
