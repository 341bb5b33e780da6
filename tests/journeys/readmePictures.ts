/** `npm run screenshots -- --readme` writes the pictures of the README to docs/images; this is not a test. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { call, open, ready } from './app.ts'
import { serveCopiedSchemas } from './copiedSchemas.ts'
import { still } from './frame.ts'

const images = path.resolve('docs/images')
const list = {
  route: '/staff/vehicle',
  entity: 'vehicle',
  title: { cn: '车辆', en: 'Vehicles' },
  menu: { order: 90, icon: 'car' },
  filters: ['boughtOn'],
  columns: ['plate', 'model', 'boughtOn', { field: 'price', sum: true }],
  actions: ['export', 'delete'],
}
const vehicles = [
  { plate: '京A12345', model: 'Demo van', boughtOn: '2026-03-11', price: '128000.00' },
  { plate: '京B20001', model: 'Demo car', boughtOn: '2025-09-01', price: '99000.00' },
  { plate: '京C30003', model: 'Demo minibus', boughtOn: '2024-05-20', price: '186500.00' },
]
/** The entity as the README shows it. */
const entity = /```json\n(\{\n  "label"[\s\S]*?\n\})\n```/.exec(readFileSync('README.md', 'utf8'))![1]
const written = `{\n${Object.entries(list)
  .map(([key, value]) => `  "${key}": ${JSON.stringify(value).replaceAll(':', ': ').replaceAll(',', ', ')}`)
  .join(',\n')}\n}`

serveCopiedSchemas({
  prepare(schemas) {
    writeFileSync(path.join(schemas, 'staff/vehicle.entity.json'), entity)
    writeFileSync(path.join(schemas, 'staff/vehicle.list.json'), written)
  },
})

test('takes the picture of the customers', async () => {
  const page = await open('/customer', { language: 'en', width: 1440, height: 900 })
  await page.locator('.progress-bar[aria-hidden="true"]').waitFor({ state: 'attached' })
  await still(page)
  await page.screenshot({ path: path.join(images, 'customers.png') })
})

test('takes the picture of two files beside the list that they describe', async () => {
  for (const values of vehicles) await call('POST', '/staff/vehicle/create', { values })
  const page = await open('/staff/vehicle', { language: 'en', width: 1056, height: 600, fresh: true })
  await ready(page)
  const drawn = (await page.getByRole('main').screenshot()).toString('base64')
  const keys = (text: string) => text.replace(/("[\w]+")(?=:)/g, '<b>$1</b>')
  const sheet = (await page.context().newPage()) as Page
  await sheet.setViewportSize({ width: 1440, height: 560 })
  await sheet.setContent(`<style>
    body { margin: 16px; display: flex; gap: 16px; background: #f4f5f7; font: 12px/17px monospace }
    pre { margin: 4px 0 12px; padding: 10px 12px; background: #fff; border: 1px solid #dde; border-radius: 6px }
    pre { font: 11px/17px monospace; white-space: pre-wrap }
    pre b { color: #0b5cad; font-weight: 400 } div { width: 560px } h1 { margin: 0; font: 600 12px monospace; color: #445 }
    p { flex: 1; margin: 0; height: 526px; overflow: hidden; background: #f0f2f5; border: 1px solid #dde; border-radius: 6px }
    img { width: 100% }
  </style><div><h1>schemas/staff/vehicle.entity.json</h1><pre>${keys(entity)}</pre>
  <h1>schemas/staff/vehicle.list.json</h1><pre>${keys(written)}</pre></div><p><img src="data:image/png;base64,${drawn}"></p>`)
  await sheet.screenshot({ path: path.join(images, 'schema-and-screen.png') })
})
