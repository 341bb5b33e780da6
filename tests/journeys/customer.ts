/** Customers for the journeys: values for the API, and files to upload. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import type { FileValue, SaveResult, Value } from '../../engine/model/model.ts'
import { uscc } from '../../src/demo/identifiers.ts'
import { samplePicture } from '../../src/demo/pictures/picture.ts'
import { Random } from '../../src/demo/random.ts'
import { call, tokenOf, url } from './app.ts'

const random = new Random(Date.now())

/** A name that no record has, so that a retried journey does not meet the records of its first attempt. */
export const newName = (beginning: string): string => `${beginning}${random.digits(8)}`
/** A code with a valid check digit. */
export const newCode = (): string => uscc(random, 'enterprise')
/** A mobile number unlike any other of this run. */
export const newMobile = (): string => `199${random.digits(8)}`
/** The same code with a wrong check character. */
export const wrongCode = (code: string): string => code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A')

const folder = mkdtempSync(path.join(path.dirname(inject('catalogFile')), 'files-'))

/** A file on disk to choose in a dialog: a picture, or one that only its name makes look like one. */
export function fileOnDisk(name: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, contentOf(name))
  return file
}

/** Content that starts like a file of the type that the name suggests. */
function contentOf(name: string): Buffer {
  if (/^营业执照.*\.png$/.test(name)) return samplePicture('营业执照', 0)
  if (/^文件.*\.pdf$/.test(name)) return Buffer.from('%PDF-1.4\n%%EOF\n')
  return /\.(xlsx|apk|ipa|wgt|zip)$/.test(name) && name.startsWith('文件')
    ? Buffer.from('PK\x03\x04 and nothing behind it')
    : Buffer.from('This is a text.')
}

/** Uploads a file as a form does; by default, a picture. */
export async function uploaded(user: string, name = '营业执照.png'): Promise<FileValue> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(contentOf(name))]), name)
  const answer = await fetch(`${url()}/api/common/upload`, {
    method: 'POST',
    headers: { token: await tokenOf(user) },
    body,
  })
  return ((await answer.json()) as { result: FileValue }).result
}

/** The id of the first record that a search finds. */
export async function idOf(endpoint: string, search: string, user = 'admin'): Promise<number> {
  const { list } = await call<{ list: { id: number }[] }>('GET', `${endpoint}/options`, { search }, { user })
  if (!list[0]) throw new Error(`${endpoint} has no "${search}"`)
  return list[0].id
}

export interface NewCustomer {
  name: string
  user?: string
  supportStaff?: string
  salesman?: string
  values?: Record<string, Value>
}

/**
 * Adds a valid customer that needs no invoice, through the API.
 * @returns its id
 */
export async function addCustomer({
  name,
  user = 'admin',
  supportStaff = user,
  salesman = supportStaff,
  values = {},
}: NewCustomer): Promise<number> {
  const region = await idOf('/setting/region', '吴中区')
  const {
    list: [agency],
  } = await call<{ list: { id: number }[] }>('GET', '/customer/agency/options')
  const given: Record<string, Value> = {
    type: 'enterprise',
    name,
    corporateName: `${name}（测试）有限公司`,
    account: `${newMobile()}`,
    uscc: newCode(),
    licenseImage: [(await uploaded(user)) as unknown as Value],
    region,
    address: '苏州市吴中区测试路1号',
    billingType: 'none',
    consigneeName: '周测',
    consigneeMobile: newMobile(),
    consigneeAddress: '苏州市吴中区测试路1号2楼',
    supportStaff: await idOf('/setting/user', supportStaff),
    salesman: await idOf('/setting/user', salesman),
    agency: agency.id,
    serviceTypes: ['dispatch'],
    paymentTerms: 'net30',
    ...values,
  }
  return (await call<SaveResult>('POST', '/customer/create', { values: given }, { user })).id
}
