import { useRef, useState } from 'react'
import { useEngine } from '../../client/view.ts'
import type { Filter } from '../../model/model.ts'
import { useDebounced } from '../reference/options.view.tsx'
import type { Option } from '../reference/options.view.tsx'
import type { ReferenceOptions } from '../reference/reference.ts'
import { optionTexts } from '../reference/reference.view.tsx'

export type Node = Option & { children?: Node[] }

/** A level is expected to have few nodes; one with more pages than this could not be browsed. */
const pagesOfLevel = 20

/** The loaded nodes of a tree, and those that a search finds. */
export function useTreeNodes(flat: ReferenceOptions) {
  const engine = useEngine()
  const [roots, setRoots] = useState<Node[]>([])
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<{ search: string; nodes: Node[] }>({ search: '', nodes: [] })
  const [status, setStatus] = useState(optionTexts.loading)
  const latest = useRef(0)
  const tree = engine.entity(flat.entity)?.tree
  const depth = tree?.depth ?? Infinity

  const level = async (parent: number | null): Promise<Node[]> => {
    const filter: Filter = { ...flat.filter, [tree?.parent ?? 'parent']: parent ?? { empty: true } }
    const nodes: Node[] = []
    let fetched = 0
    for (let page = 1; page <= pagesOfLevel; page++) {
      const { list, total } = await engine.options(flat.entity, { page, filter })
      nodes.push(...list.filter((option) => option.parent === undefined || option.parent === parent))
      fetched += list.length
      if (fetched >= total || list.length === 0) break
    }
    return nodes
  }
  /** Shows the result of a task, unless a later one has started since. */
  const show = async (task: Promise<Node[]>, into: (nodes: Node[]) => void) => {
    const request = ++latest.current
    setStatus(optionTexts.loading)
    try {
      const nodes = await task
      if (request !== latest.current) return
      into(nodes)
      setStatus(optionTexts.none)
    } catch {
      if (request !== latest.current) return
      into([])
      setStatus(optionTexts.failed)
    }
  }
  const find = useDebounced<void>(() => {
    if (typed === '') return
    void show(
      engine.options(flat.entity, { search: typed, filter: flat.filter }).then(({ list }) => list),
      (nodes) => setFound({ search: typed, nodes }),
    )
  })
  // Enter chooses the first node, which must not be one of an earlier search.
  const isBehind = typed !== '' && typed !== found.search
  const expand = async (id: number) => {
    const children = await level(id).catch(() => undefined)
    if (children) setRoots((old) => old.map((root) => grow(root, id, children)))
  }
  return {
    roots,
    /** Null unless search results are shown. */
    found: typed === '' ? null : isBehind ? [] : found.nodes,
    isBehind,
    status: isBehind ? optionTexts.loading : status,
    depth,
    search(text: string) {
      setTyped(text.trim())
      find()
    },
    expand,
    open() {
      if (roots.length === 0) void show(level(null), setRoots)
    },
  }
}

function grow(node: Node, id: number, children: Node[]): Node {
  if (node.id === id) return { ...node, children }
  return node.children ? { ...node, children: node.children.map((child) => grow(child, id, children)) } : node
}
