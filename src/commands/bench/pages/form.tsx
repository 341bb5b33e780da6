import { Button, Col, ConfigProvider, DatePicker, Form, Input, InputNumber, Row, Select } from 'antd'
import type { FormInstance } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { formFields, levels, trigger, without } from '../fields.ts'
import type { BenchFormField, BenchType } from '../fields.ts'

/** The yardstick of forms: the same fields and linkages in antd's Form, written by hand. `?count=300` */

const choices = levels.map(({ value, label }) => ({ value, label }))
const controls: Record<BenchType, () => ReactNode> = {
  text: () => <Input maxLength={60} allowClear />,
  phone: () => <Input allowClear />,
  integer: () => <InputNumber precision={0} style={{ width: '100%' }} />,
  money: () => <InputNumber precision={2} prefix="￥" style={{ width: '100%' }} />,
  date: () => <DatePicker style={{ width: '100%' }} />,
  choice: () => <Select options={choices} allowClear showSearch optionFilterProp="label" />,
  reference: () => <Select showSearch allowClear />,
}

type Read = FormInstance['getFieldValue']
const holds = ({ choice, text }: NonNullable<BenchFormField['linkage']>, read: Read) =>
  (choice === undefined || read(choice) !== without) && (text === undefined || read(text) === trigger)

function Item({ field, required }: { field: BenchFormField; required: boolean }) {
  const prompt = `${field.type === 'choice' || field.type === 'date' ? '请选择' : '请输入'}${field.label}`
  const rules = [
    { required, message: prompt },
    ...(field.type === 'text' ? [{ max: 60, message: `${field.label}最多60个字符` }] : []),
    ...(field.type === 'phone' ? [{ pattern: /^1[3-9]\d{9}$/, message: '电话格式不正确' }] : []),
  ]
  return (
    <Col span={8}>
      <Form.Item name={field.name} label={field.label} rules={rules}>
        {controls[field.type]()}
      </Form.Item>
    </Col>
  )
}

function Linked({ field }: { field: BenchFormField }) {
  const linkage = field.linkage!
  const inputs = [linkage.choice, linkage.text].filter((name) => name !== undefined)
  return (
    <Form.Item noStyle dependencies={inputs}>
      {({ getFieldValue }) => {
        const result = holds(linkage, getFieldValue)
        if (linkage.effect === 'visible') return result && <Item field={field} required={field.required} />
        return <Item field={field} required={result} />
      }}
    </Form.Item>
  )
}

const fields = formFields(Number(new URLSearchParams(window.location.search).get('count')))

function Page() {
  const [open, setOpen] = useState(false)
  return (
    <ConfigProvider locale={zhCN}>
      <Button id="open" onClick={() => setOpen(true)}>
        表单
      </Button>
      {open && (
        <Form layout="vertical">
          <Row gutter={16}>
            {fields.map((field) =>
              field.linkage ? (
                <Linked key={field.name} field={field} />
              ) : (
                <Item key={field.name} field={field} required={field.required} />
              ),
            )}
          </Row>
          <Button type="primary" htmlType="submit">
            保存
          </Button>
        </Form>
      )}
    </ConfigProvider>
  )
}

createRoot(document.getElementById('root')!).render(<Page />)
