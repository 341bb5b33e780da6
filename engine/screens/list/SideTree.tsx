import { Button, Tree } from 'antd'
import { useEffect, useState } from 'react'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { OptionsResult, Value } from '../../model/model.ts'

type Node = OptionsResult['list'][number]
interface Branch {
  key: number
  title: string
  children: Branch[]
}

/** A tree beside a list is expected to be small; in a larger one the filter finds nodes. */
const mostPages = 10

interface SideTreeProps {
  /** The entity of its nodes. */
  entity: string
  label: string
  chosen: Value | undefined
  /** Increases when records changed elsewhere. */
  version: number
  onChosen(id: number | undefined): void
}

/**
 * The tree of a filter: the list shows what belongs to the selected node and to those below it. Selecting it again
 * shows all.
 */
export default function SideTree({ entity, label, chosen, version, onChosen }: SideTreeProps) {
  const engine = useEngine()
  const words = useWords()
  const [nodes, setNodes] = useState<Node[]>()
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let current = true
    setFailed(false)
    readAll((page) => engine.options(entity, { page })).then(
      (all) => {
        if (current) setNodes(all)
      },
      () => {
        if (current) setFailed(true)
      },
    )
    return () => {
      current = false
    }
  }, [engine, entity, version, attempt])
  return (
    <aside className="list-side" aria-label={label} aria-busy={!nodes && !failed}>
      {failed && !nodes && (
        <p role="alert">
          {words('listFailed')}{' '}
          <Button size="small" onClick={() => setAttempt(attempt + 1)}>
            {words('retry')}
          </Button>
        </p>
      )}
      {nodes && (
        <Tree<Branch>
          blockNode
          defaultExpandAll
          motion={false}
          aria-label={label}
          treeData={branches(nodes)}
          selectedKeys={typeof chosen === 'number' ? [chosen] : []}
          onSelect={([key]) => onChosen(key as number | undefined)}
        />
      )}
    </aside>
  )
}

async function readAll(read: (page: number) => Promise<OptionsResult>): Promise<Node[]> {
  const all: Node[] = []
  for (let page = 1; page <= mostPages; page++) {
    const { list, total } = await read(page)
    all.push(...list)
    if (list.length === 0 || all.length >= total) break
  }
  return all
}

/** Nodes whose parent is not offered are at the top. */
function branches(nodes: readonly Node[]): Branch[] {
  const byId = new Map(
    nodes.map((node): [number, Branch] => [node.id, { key: node.id, title: node.name, children: [] }]),
  )
  return nodes.flatMap(({ id, parent }) => {
    const branch = byId.get(id)!
    const above = parent === null || parent === undefined ? undefined : byId.get(parent)
    above?.children.push(branch)
    return above ? [] : [branch]
  })
}
