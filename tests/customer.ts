import type { FileValue, Value } from '../engine/model/model.ts'
import type { Client, TestServer } from './server.ts'

/** The smallest picture: one transparent pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export async function upload(
  house: TestServer,
  as: Client,
  name: string,
  content: Buffer,
  headers: Record<string, string> = {},
) {
  const boundary = 'boundary-of-the-test'
  const payload = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    content,
    Buffer.from(
      `\r\n--${boundary}\r\nContent-Disposition: form-data; name="json"\r\n\r\n{"file_type":0}\r\n--${boundary}--\r\n`,
    ),
  ])
  const answer = await house.server.inject({
    method: 'POST',
    url: '/api/common/upload',
    payload,
    headers: { token: as.token, 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  })
  return answer.json() as { code: number; message: string; result: FileValue }
}

/** A valid unified social credit code for each number, with the check digit of GB 32100. */
export function uscc(number: number): string {
  const alphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'
  const head = `91990101MADE${String(number).padStart(5, '0')}`
  const sum = [...head].reduce((total, character, index) => total + alphabet.indexOf(character) * (3 ** index % 31), 0)
  return head + alphabet[(31 - (sum % 31)) % 31]
}

/** What the form sends for a new customer, different each time. */
export async function customerValues(
  house: TestServer,
  values: Record<string, Value> = {},
): Promise<Record<string, Value>> {
  const number = house.next('customer')
  const agency =
    (await house.admin.get('/customer/agency/options', { search: 'J001' })).result.list[0]?.id ??
    (await house.create('/customer/agency', {
      code: 'J001',
      name: '自营机构',
      kind: 'own',
      uscc: uscc(90_000),
      taxpayerKind: 'general',
      cities: ['310100'],
    }))
  const region = (await house.admin.get('/setting/region/options', { search: '110101' })).result.list[0].id
  const { result } = await upload(house, house.admin, 'licence.png', picture)
  const admin = await house.findId('/setting/user', 'admin')
  return {
    account: `account${number}`,
    type: 'enterprise',
    name: `启澜物流${number}`,
    corporateName: `${String(values.name ?? '启澜物流')}（演示）有限公司${number}`,
    uscc: uscc(number),
    licenseImage: [{ ...result, status: 'success' }],
    region,
    address: '演示路100号',
    billingType: 'none',
    consigneeName: '王晓',
    consigneeMobile: '15412345678',
    consigneeAddress: '演示路100号3楼',
    supportStaff: admin,
    salesman: admin,
    agency,
    serviceTypes: ['dispatch'],
    insuranceAccountMode: 'provider',
    paymentTerms: 'net30',
    statementDay: 10,
    ...values,
  }
}
