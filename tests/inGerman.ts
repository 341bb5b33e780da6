/** A small product in English and German: vehicles, and the users, roles, messages and menu of every product. */
import { readFileSync } from 'node:fs'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'

/** The German text of the product's own files is their English text behind this sign. */
const sign = '§'

const t = (en: string, de: string) => ({ en, de })

function translated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(translated)
  const { cn, en, ...rest } = value as Record<string, unknown>
  if (typeof cn === 'string' && typeof en === 'string' && Object.keys(rest).length === 0) return t(en, sign + en)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translated(item)]))
}

/** The parts of a product file that a change may touch; entities only. */
interface Data {
  fields: Record<string, { brought?: object[] }>
  actions: Record<string, object>
  permissions?: object
}

/** A translated file of the product, without references to other parts of the product. */
function own(name: string, change?: (data: Data) => void): SourceText {
  const path = `schemas/setting/${name}.json`
  const data = translated(JSON.parse(readFileSync(path, 'utf8'))) as Data
  change?.(data)
  return { path, text: JSON.stringify(data) }
}

const file = (name: string, data: object): SourceText => ({ path: `schemas/${name}.json`, text: JSON.stringify(data) })

// oxlint-disable-next-line max-lines-per-function -- a list of schema files
export const germanSchemas = (): SourceText[] => [
  file('app', {
    title: t('Fleet', 'Fuhrpark'),
    languages: ['en', 'de'],
    theme: { colour: '#1890ff' },
    home: '/fleet/vehicle',
    policies: {},
    areas: [
      { name: 'fleet', label: t('Fleet', 'Fuhrpark'), icon: 'car' },
      { name: 'setting', label: t('Settings', 'Einstellungen'), icon: 'setting' },
    ],
  }),
  own('user.entity', (data) => {
    delete data.fields.customersSupported
    delete data.fields.customersSold
    delete data.actions.handOver
    delete data.fields.successor
    data.permissions = {}
  }),
  own('role.entity', (data) => {
    data.permissions = {}
    data.fields.name.brought = [t('Administrator', 'Verwalter')]
  }),
  own('department.entity', (data) => {
    data.permissions = {}
    data.fields.name.brought = [t('Head office', 'Zentrale')]
  }),
  own('message.entity', (data) => delete data.permissions),
  own('menu.entity'),
  own('dictionary.entity'),
  own('dictionaryItem.entity'),
  ...[
    'enableStatus',
    'dataScope',
    'menuKind',
    'tagColor',
    'importStatus',
    'importRowStatus',
    'logResult',
    'networkPlace',
  ].map((name) => own(`${name}.dictionary`)),
  own('operationLog.entity'),
  own('operationLog.list'),
  own('operationLog.detail'),
  file('setting/messageType.dictionary', {
    label: t('Message type', 'Art der Meldung'),
    choices: ['repaired', 'importFinished', 'roleGrown', 'jobFinished'].map((value) => ({
      value,
      label: t(`Type ${value}`, `Art ${value}`),
    })),
  }),
  file('setting/role.records', {
    entity: 'role',
    key: 'code',
    rows: [
      {
        code: 'admin',
        name: 'Administrator',
        dataScope: 'all',
        functionPermissions: ['*:*:*'],
        messageAuthorization: ['repaired', 'importFinished'],
      },
    ],
  }),
  file('setting/department.records', { entity: 'department', key: 'name', rows: [{ name: 'Head office' }] }),
  file('setting/user.list', {
    route: '/setting/user',
    entity: 'user',
    title: t('Users', 'Benutzer'),
    menu: { order: 10 },
    columns: ['loginName', 'realName', 'roles', 'status'],
  }),
  file('fleet/vehicleStatus.dictionary', {
    label: t('Vehicle status', 'Zustand'),
    choices: [
      { value: 'inUse', label: t('In use', 'Im Einsatz'), tag: 'success' },
      { value: 'inRepair', label: t('In repair', 'In Reparatur'), tag: 'warning' },
    ],
  }),
  file('fleet/extra.dictionary', {
    label: t('Extra', 'Ausstattung'),
    choices: [
      { value: 'roof', label: t('Roof rack', 'Dachträger') },
      { value: 'hook', label: t('Tow bar', 'Anhängerkupplung') },
    ],
  }),
  file('fleet/vehicle.entity', {
    label: t('Vehicle', 'Fahrzeug'),
    display: 'plate',
    search: ['plate', 'model'],
    fields: {
      plate: { type: 'text', required: true, unique: true, maxLength: 10, label: t('Plate', 'Kennzeichen') },
      model: { type: 'text', required: true, label: t('Model', 'Modell') },
      boughtOn: { type: 'date', required: true, max: 'today', label: t('Bought on', 'Gekauft am') },
      insuredUntil: { type: 'date', label: t('Insured until', 'Versichert bis') },
      price: { type: 'money', label: t('Price', 'Preis') },
      seats: { type: 'integer', min: 1, max: 9, label: t('Seats', 'Sitze') },
      electric: { type: 'boolean', label: t('Electric', 'Elektrisch') },
      extras: { type: 'choices', choices: 'extra', label: t('Extras', 'Ausstattung') },
      status: { type: 'choice', choices: 'vehicleStatus', readOnly: true, label: t('Status', 'Zustand') },
      reason: { type: 'text', readOnly: true, label: t('Reason', 'Grund') },
    },
    rules: [
      {
        check: 'insuredUntil > boughtOn',
        when: 'insuredUntil != null',
        at: 'insuredUntil',
        message: t('Insurance of {plate} ends too early', 'Die Versicherung von {plate} endet zu früh'),
      },
    ],
    states: [
      {
        field: 'status',
        initial: 'inUse',
        transitions: {
          repair: {
            label: t('Send to repair', 'In Reparatur geben'),
            from: ['inUse'],
            to: 'inRepair',
            form: [{ field: 'reason', required: true }],
            notify: [{ type: 'repaired', title: t('{plate} is in repair', '{plate} ist in Reparatur') }],
          },
          return: { label: t('Return', 'Zurückholen'), from: ['inRepair'], to: 'inUse', set: { reason: 'null' } },
        },
      },
    ],
  }),
  file('fleet/vehicle.list', {
    route: '/fleet/vehicle',
    entity: 'vehicle',
    title: t('Vehicles', 'Fahrzeuge'),
    menu: { order: 10, icon: 'car' },
    search: t('Plate or model', 'Kennzeichen oder Modell'),
    filters: ['status', 'boughtOn', 'electric'],
    columns: ['plate', 'model', 'status', 'boughtOn', 'electric', 'extras', { field: 'price', sum: true }],
    actions: ['create', 'import', 'export', 'edit', 'repair', 'return', 'delete'],
  }),
  file('fleet/vehicle.form', {
    route: '/fleet/addvehicle',
    entity: 'vehicle',
    title: t('Add vehicle', 'Neues Fahrzeug'),
    parent: 'vehicle.list',
    parameters: ['type'],
    variants: {
      type: {
        add: { mode: 'create' },
        edit: { mode: 'edit', title: t('Edit vehicle', 'Fahrzeug ändern'), parameters: ['type', 'id'] },
      },
    },
    sections: [
      {
        title: t('Vehicle', 'Fahrzeug'),
        fields: ['plate', 'model', 'boughtOn', 'insuredUntil', 'price', 'seats', 'electric', 'extras'],
      },
    ],
  }),
  file('fleet/vehicle.imports', {
    route: '/fleet/importvehicle',
    into: 'vehicle',
    title: t('Vehicle import', 'Fahrzeugimport'),
    parent: 'vehicle.list',
    key: ['plate'],
    existing: 'update',
    columns: ['plate', 'model', 'boughtOn', 'insuredUntil', 'electric', 'seats'].map((field) => ({ field })),
  }),
  file('fleet/vehicle.importDetail', {
    route: '/fleet/importvehicledetail',
    of: 'vehicle.imports',
    title: t('Vehicle import details', 'Zeilen des Fahrzeugimports'),
    parent: 'vehicle.imports',
    result: '/fleet/addvehicle?type=edit&id={target}',
  }),
  file('fleet/vehicle.report', {
    route: '/fleet/report',
    entity: 'vehicle',
    title: t('Fleet report', 'Bericht'),
    menu: { order: 30 },
    records: 'vehicle.list',
    groups: [
      { name: 'status', by: ['status'] },
      { name: 'month', label: t('Month', 'Monat'), by: [{ field: 'boughtOn', unit: 'month' }] },
    ],
    measures: { vehicles: { count: true, label: t('Number', 'Anzahl') }, price: { sum: 'price' } },
    tabs: [{ name: 'all', label: t('All', 'Alle'), columns: ['vehicles', 'price'] }],
    export: 'fleet:vehicle:export',
  }),
]

/** A valid vehicle. */
export const vehicle = {
  plate: 'B-1',
  model: 'Kombi',
  boughtOn: '2025-05-01',
  price: '1234.50',
  electric: true,
  extras: ['roof', 'hook'],
}
