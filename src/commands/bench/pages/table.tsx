import { Button, ConfigProvider, Table, Tag } from 'antd'
import type { TableColumnsType } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { columns as fields, levels, widths } from '../fields.ts'
import type { BenchType } from '../fields.ts'

/** The yardstick of lists: the same rows of the same server in antd's Table, written by hand. `?virtual&path=…` */

interface Row {
  id: number
  [field: string]: unknown
}

const colours = { info: 'default', primary: 'processing', success: 'success', warning: 'warning', danger: 'error' }
const amount = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2 })

const cells: Partial<Record<BenchType, (value: unknown) => ReactNode>> = {
  money: (value) => (value === null ? '' : `￥${amount.format(Number(value))}`),
  choice(value) {
    const level = levels.find((each) => each.value === value)
    return level && <Tag color={colours[level.tag]}>{level.label}</Tag>
  },
  reference: (value) => (value as { name: string } | null)?.name,
}
const columns: TableColumnsType<Row> = fields.map((field, index) => ({
  title: field.label,
  dataIndex: field.name,
  width: widths[field.type],
  ellipsis: true,
  sorter: true,
  align: field.type === 'money' || field.type === 'integer' ? 'right' : undefined,
  fixed: index === 0 ? 'left' : undefined,
  render: index === 0 ? (value: string, row) => <a href={`#/detail?id=${row.id}`}>{value}</a> : cells[field.type],
}))
const width = fields.reduce((sum, field) => sum + widths[field.type], 0)

const query = new URLSearchParams(window.location.search)

function List() {
  const [rows, setRows] = useState<Row[]>()
  useEffect(() => {
    void fetch(`/api${query.get('path')}`, {
      headers: { token: localStorage.getItem('token') ?? '', language: 'zh-CN' },
    })
      .then((answer) => answer.json())
      .then((answer: { result: { list: Row[] } }) => setRows(answer.result.list))
  }, [])
  return (
    <Table
      rowKey="id"
      size="small"
      columns={columns}
      dataSource={rows}
      loading={!rows}
      pagination={false}
      virtual={query.has('virtual')}
      scroll={{ x: width, y: window.innerHeight - 160 }}
    />
  )
}

function Page() {
  const [open, setOpen] = useState(false)
  return (
    <ConfigProvider locale={zhCN}>
      <Button id="open" onClick={() => setOpen(true)}>
        列表
      </Button>
      {open && <List />}
    </ConfigProvider>
  )
}

createRoot(document.getElementById('root')!).render(<Page />)
