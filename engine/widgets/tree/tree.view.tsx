import { TreeSelect } from 'antd'
import type { TreeSelectProps } from 'antd'
import { useState } from 'react'
import { useEngine } from '../../client/view.ts'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import { chosenValue, useNamed } from '../reference/options.view.tsx'
import type { Option } from '../reference/options.view.tsx'
import { isReference } from '../reference/reference.ts'
import type { Reference, ReferenceOptions } from '../reference/reference.ts'
import { useAwaitedEnter } from '../reference/useAwaitedEnter.ts'
import { selectProps } from '../text/text.view.tsx'
import { pathText } from './tree.ts'
import { useTreeNodes } from './useTreeNodes.ts'
import type { Node } from './useTreeNodes.ts'

interface TreePickerProps extends Omit<TreeSelectProps, 'value' | 'onChange' | 'treeData' | 'loadData'> {
  target: ReferenceOptions
  chosen: Reference | undefined
  onChosen(chosen: Reference | undefined): void
}

/** A drop-down tree that loads a level when it opens, and shows search results with their paths. */
function TreePicker({ target, chosen, onChosen, ...rest }: TreePickerProps) {
  const engine = useEngine()
  const [named] = useNamed(target.entity, chosen ? [chosen] : [])
  const { roots, found, isBehind, status, depth, search, expand, open } = useTreeNodes(target)
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const nodes = found ?? roots
  const type = (text: string) => {
    setTyped(text)
    search(text)
  }
  const choose = (id: number) => {
    const way = wayTo(nodes, id)
    if (!way) return
    const path = found ? {} : { path: way.map((node) => node.name) }
    onChosen({ ...path, ...chosenValue(withoutChildren(way[way.length - 1])) })
  }
  const press = useAwaitedEnter({ list: nodes, isBehind }, typed, (id) => {
    choose(id)
    type('')
    setOpen(false)
  })
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
          if (picked) choose(picked.value)
          else onChosen(undefined)
        }) as never
      }
      treeData={treeData(nodes, [])}
      loadData={(node) => expand(node.value as number)}
      notFoundContent={<span role="status">{engine.text(status)}</span>}
      open={isOpen}
      searchValue={typed}
      onSearch={type}
      onInputKeyDown={press}
      onOpenChange={(opens) => {
        setOpen(opens)
        if (opens) open()
      }}
    />
  )
}

const withoutChildren = ({ children: _children, ...option }: Node): Option => option

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
      target={props.field.options as ReferenceOptions}
      chosen={isReference(props.value) ? props.value : undefined}
      onChosen={(chosen) => props.onChange(chosen ?? null)}
      onBlur={() => props.onBlur?.()}
      allowClear={!props.required}
    />
  )
}

/** Filters by a node with everything below it. */
function TreeFilter({ id, value, onChange, field, label }: FilterProps) {
  return (
    <TreePicker
      id={id}
      aria-label={label}
      target={{ entity: field.options.entity }}
      chosen={typeof value?.under === 'number' ? { id: value.under } : undefined}
      onChosen={(chosen) => onChange(chosen && { under: chosen.id })}
      allowClear
    />
  )
}

export const treeView: WidgetView = { Edit: TreeEdit, Filter: TreeFilter }
