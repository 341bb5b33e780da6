import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues, uscc } from '../../../tests/customer.ts'
import { check, customerRow, planOf, rows, write } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { ImportPlan, ImportProblem, RecordData } from '../../model/model.ts'

let house: TestServer
let other: number
beforeAll(async () => {
  house = await createTestServer()
  other = await house.create(
    '/customer',
    await customerValues(house, { name: '已有客户', account: 'there', corporateName: '已有客户（演示）有限公司' }),
  )
})
afterAll(() => house?.close())

type Cells = Parameters<typeof customerRow>[1]
type ProblemEntry = [cell: string | undefined, code: string, cn: string, en: string]
const problemsOf = ({ errors }: RecordData): ProblemEntry[] =>
  ((errors ?? []) as unknown as ImportProblem[]).map(({ cell, code, message }) => [cell, code, message.cn, message.en])
const empty = Object.fromEntries(Object.keys(customerRow(0)).map((name) => [name, null]))

/** The problems of each of these rows, in a file of their own; each is another customer, numbered from 100. */
async function problems(...cells: Cells[]): Promise<ProblemEntry[][]> {
  const id = await check(
    house,
    cells.map((cell, index) => customerRow(100 + index, cell)),
  )
  return (await rows(house, id)).map(problemsOf)
}

describe('the problems of a row', () => {
  it('are reported all at once, in column order, with the cell and in both languages', async () => {
    const [[...first]] = await problems({ ...empty, remark: 'something' })
    expect(first.map(([cell]) => cell)).toEqual([
      'A2',
      'B2',
      'C2',
      'D2',
      'G2',
      'H2',
      'I2',
      'O2',
      'P2',
      'Q2',
      'S2',
      'T2',
      'U2',
      'V2',
      'W2',
    ])
    expect(new Set(first.map(([, code]) => code))).toEqual(new Set(['required']))
    expect(first.at(0)).toEqual(['A2', 'required', '客户名称不能为空', 'Customer name is required'])
    expect(first.at(-1)).toEqual(['W2', 'required', '付款条件不能为空', 'Payment terms is required'])
  })

  it('name the cells where the columns are in the file', async () => {
    const { columns } = planOf(house)
    const id = await check(house, [customerRow(100, { name: null, statementDay: 29 })], {
      order: columns.map(({ field }) => field).reverse(),
    })
    expect((await rows(house, id)).map(problemsOf)).toEqual([
      [
        ['Z2', 'required', '客户名称不能为空', 'Customer name is required'],
        ['B2', 'range', '出账日必须在1至28之间', 'Statement day must be between 1 and 28'],
      ],
    ])
  })

  it('include values that are too short or too long', async () => {
    const [long, short] = await problems(
      {
        name: 'x'.repeat(61),
        corporateName: 'x'.repeat(101),
        account: 'x'.repeat(31),
        address: 'x'.repeat(121),
        consigneeName: 'x'.repeat(31),
        consigneeAddress: 'x'.repeat(151),
        invoiceMailingAddress: 'x'.repeat(151),
        remark: 'x'.repeat(501),
      },
      {
        name: '短',
        corporateName: '企业',
        account: 'abc',
        address: '演示路',
        consigneeName: '王',
        consigneeAddress: '演示路',
      },
    )
    expect(long.map(([cell, code, cn]) => [cell, code, cn])).toEqual([
      ['A2', 'maxLength', '客户名称：长度不能超过60个字符'],
      ['B2', 'maxLength', '企业名称：长度不能超过100个字符'],
      ['E2', 'maxLength', '客户账号：长度不能超过30个字符'],
      ['H2', 'maxLength', '注册地址：长度不能超过120个字符'],
      ['O2', 'maxLength', '收件人：长度不能超过30个字符'],
      ['Q2', 'maxLength', '收件地址：长度不能超过150个字符'],
      ['R2', 'maxLength', '发票邮寄地址：长度不能超过150个字符'],
      ['Z2', 'maxLength', '备注：长度不能超过500个字符'],
    ])
    expect(long[0][3]).toBe('Customer name: At most 60 characters')
    expect(short.map(([cell, code]) => [cell, code])).toEqual(
      ['A3', 'B3', 'E3', 'H3', 'O3', 'Q3'].map((cell) => [cell, 'minLength']),
    )
  })

  it('include codes, numbers and addresses of the wrong format', async () => {
    const invoiced = {
      billingType: '数电专用发票',
      depositBank: '北辰示范银行',
      bankAccount: '9900100100000018',
      billingPhone: '000-55501018',
      invoiceEmail: 'a@b.example.com',
    }
    const [digit, formats, account, numbers] = await problems(
      { uscc: '91990101MADE00100X', taxNumber: null },
      {
        ...invoiced,
        uscc: '9199',
        taxNumber: '123',
        bankAccount: 'abc',
        billingPhone: '12',
        invoiceEmail: 'nobody',
        consigneeMobile: '021-55501018',
      },
      { account: '客户的账号' },
      { paymentTerms: '先款后付', paymentDay: 'x', statementDay: 1.5 },
    )
    expect(digit).toEqual([
      ['D2', 'checkDigit', '统一社会信用代码校验位错误', 'Unified social credit code check digit is wrong'],
    ])
    expect(formats.map(([cell, code, cn]) => [cell, code, cn])).toEqual([
      ['D3', 'format', '统一社会信用代码格式不正确'],
      ['J3', 'pattern', '税号应为15至20位数字或大写字母'],
      ['L3', 'format', '银行账号格式不正确'],
      ['M3', 'format', '开票电话格式不正确'],
      ['N3', 'format', '收票邮箱格式不正确'],
      ['P3', 'format', '收件人手机格式不正确'],
    ])
    expect(formats[3][3]).toBe('Billing phone has an invalid format')
    expect(account).toEqual([
      [
        'E4',
        'pattern',
        '客户账号只能包含字母、数字和 _ @ . -',
        'Customer account may contain only letters, digits and _ @ . -',
      ],
    ])
    expect(numbers).toEqual([
      ['X5', 'integer', '约定到款日：请输入整数', 'Agreed payment day: Please enter a whole number'],
      ['Y5', 'integer', '出账日：请输入整数', 'Statement day: Please enter a whole number'],
    ])
  })

  it('include unknown dictionary values, without guesses about what depends on them', async () => {
    const [first] = await problems({
      type: '公司',
      billingType: '发票',
      serviceTypes: '劳务派遣、清洁',
      paymentTerms: '以后',
    })
    expect(first).toEqual([
      ['C2', 'choice', '客户类型“公司”不在可选范围内', 'Customer type "公司" is not an allowed value'],
      ['I2', 'choice', '开票类型“发票”不在可选范围内', 'Billing type "发票" is not an allowed value'],
      [
        'V2',
        'choice',
        '服务类型“劳务派遣、清洁”不在可选范围内',
        'Service types "劳务派遣、清洁" is not an allowed value',
      ],
      ['W2', 'choice', '付款条件“以后”不在可选范围内', 'Payment terms "以后" is not an allowed value'],
    ])
  })

  it('include days out of range', async () => {
    expect(
      await problems(
        { paymentTerms: '先款后付', paymentDay: 32, statementDay: 29 },
        { paymentTerms: '次月固定日', paymentDay: 0, statementDay: 0 },
        { paymentTerms: '先款后付' },
      ),
    ).toEqual(
      [2, 3]
        .map((row): ProblemEntry[] => [
          [`X${row}`, 'range', '约定到款日必须在1至31之间', 'Agreed payment day must be between 1 and 31'],
          [`Y${row}`, 'range', '出账日必须在1至28之间', 'Statement day must be between 1 and 28'],
        ])
        .concat([[['X4', 'required', '约定到款日不能为空', 'Agreed payment day is required']]]),
    )
  })

  it('include values that the kind of invoice requires', async () => {
    const cellsOf = (list: ProblemEntry[][]) => list.map((row) => row.map(([cell, code]) => `${cell} ${code}`))
    expect(
      cellsOf(
        await problems(
          { billingType: '数电专用发票' },
          { billingType: '纸质专用发票' },
          { billingType: '数电普通发票' },
          { billingType: '纸质普通发票' },
          { billingType: '不开票' },
        ),
      ),
    ).toEqual([
      ['K2 required', 'L2 required', 'M2 required', 'N2 required'],
      ['K3 required', 'L3 required', 'M3 required', 'R3 required'],
      ['N4 required'],
      ['R5 required'],
      [],
    ])
  })
})

describe('a reference', () => {
  it('is found by code, login name, exact name or path, and refused if missing or disabled', async () => {
    const agency = await house.create('/customer/agency', {
      code: 'J002',
      name: '停用机构',
      kind: 'partner',
      uscc: uscc(91_000),
      cities: ['310100'],
    })
    expect(await house.admin.post('/customer/agency/disable', { id: agency })).toMatchObject({ code: 1 })
    const top = await house.create('/customer/customerClassification', { name: '重点客户' })
    await house.create('/customer/customerClassification', { name: '制造', parent: top })
    const list = await problems(
      {
        agency: 'J001',
        supportStaff: 'admin',
        salesman: '系统管理员',
        region: '北京市/东城区',
        classification: '重点客户/制造',
      },
      { agency: '自营机构', region: ' 北京市 ／ 东城区 ', classification: '制造' },
      { region: '110101' },
      { region: '月球', classification: '没有', supportStaff: 'nobody', salesman: 'nobody', agency: 'J999' },
      { agency: 'J002', region: '北京市/没有', classification: '没有/制造' },
    )
    expect(list.slice(0, 3)).toEqual([[], [], []])
    expect(list[3]).toEqual([
      [
        'F5',
        'reference',
        '客户分类“没有”不存在或已停用',
        'Customer classification "没有" does not exist or is disabled',
      ],
      ['G5', 'reference', '所在地区“月球”不存在或已停用', 'Region "月球" does not exist or is disabled'],
      // A value that could be a login name or a mobile number is sensitive, so it is not quoted.
      ['S5', 'reference', '客服专员账号不存在或已停用', 'Support staff account does not exist or is disabled'],
      ['T5', 'reference', '业务员账号不存在或已停用', 'Salesman account does not exist or is disabled'],
      ['U5', 'reference', '服务机构编号“J999”不存在或已停用', 'Agency code "J999" does not exist or is disabled'],
    ])
    expect(list[4].map(([cell, code]) => `${cell} ${code}`)).toEqual(['F6 reference', 'G6 reference', 'U6 reference'])
  })

  it('is refused if it matches several records, but not by path or code', async () => {
    const [name] = await problems({ region: '鼓楼区' })
    expect(name).toEqual([
      [
        'G2',
        'ambiguous',
        '所在地区“鼓楼区”匹配到多条记录，请填写代码',
        'Region "鼓楼区" matches several records; please fill in Code',
      ],
    ])
    const { result } = await house.admin.get('/setting/region/options', { search: '鼓楼区' })
    const [{ code, path }] = result.list as { code: string; path: string[] }[]
    expect(result.list.length).toBeGreaterThan(1)
    expect(await problems({ region: code }, { region: path.join('/') })).toEqual([[], []])
  })
})

describe('a duplicate', () => {
  it('is refused in the later row, by the key and by each unique field', async () => {
    const same = customerRow(100)
    const list = await problems(
      {},
      { uscc: same.uscc },
      { name: same.name, account: same.account },
      { corporateName: same.corporateName },
      same,
    )
    const duplicate = (cell: string): ProblemEntry => [cell, 'duplicate', '与第2行重复', 'Duplicate of row 2']
    expect(list).toEqual([
      [],
      [duplicate('D3')],
      [duplicate('A4'), duplicate('E4')],
      [duplicate('B5')],
      ['A6', 'B6', 'D6', 'E6'].map(duplicate),
    ])
  })

  it('is refused where another record has the value', async () => {
    const {
      result: { uscc },
    } = await house.admin.get('/customer/detail', { id: other })
    const taken = (cell: string, cn: string, en: string, value: string): ProblemEntry => [
      cell,
      'taken',
      `${cn}“${value}”已存在`,
      `${en} "${value}" already exists`,
    ]
    const [names, account, own] = await problems(
      { name: '已有客户', corporateName: '已有客户（演示）有限公司' },
      { account: 'there' },
      { name: '已有客户', uscc },
    )
    expect(names).toEqual([
      taken('A2', '客户名称', 'Customer name', '已有客户'),
      taken('B2', '企业名称', 'Corporate name', '已有客户（演示）有限公司'),
    ])
    // By default it is a mobile number, which is sensitive.
    expect(account).toEqual([['E3', 'taken', '客户账号已存在', 'Customer account already exists']])
    expect(own.map(([cell, code]) => `${cell} ${code}`)).not.toContain('A4 taken')
  })

  it('is found across the chunks in which a file is read', async () => {
    const many = Array.from({ length: 501 }, (_, index) => customerRow(2000 + index))
    const id = await check(house, [...many, customerRow(9000, { name: many[0].name })])
    const { result } = await house.admin.get('/customer/customerImportRow/list', {
      filters: { batch: { equals: id }, rowStatus: { in: ['failed'] } },
    })
    expect((result.list as RecordData[]).map(problemsOf)).toEqual([
      [['A503', 'duplicate', '与第2行重复', 'Duplicate of row 2']],
    ])
  })
})

describe('the cells of a row', () => {
  const kept = async (name: string) =>
    (
      await house.admin.get('/customer/list', {
        search: name,
        fields:
          '["account","taxNumber","invoiceTitle","statementDay","invoiceMailingAddress","serviceTypes","consigneeMobile","uscc","approvalStatus","accountStatus","registrationMethod","submitter","invoiceEmail"]',
      })
    ).result.list[0]
  const written = async (cells: Cells, number: number) => {
    const id = await check(house, [customerRow(number, cells)])
    await write(house, id)
    return kept(`进口客户${number}`)
  }

  it('take their default from its source when empty', async () => {
    expect(
      await written(
        {
          account: null,
          taxNumber: null,
          statementDay: null,
          consigneeMobile: '15400000031',
          billingType: '数电普通发票',
          invoiceEmail: 'A@B.example.com',
        },
        31,
      ),
    ).toMatchObject({
      account: '15400000031',
      uscc: customerRow(31).uscc,
      taxNumber: customerRow(31).uscc,
      invoiceTitle: '进口客户（演示）有限公司31',
      statementDay: 10,
      invoiceEmail: 'a@b.example.com',
      approvalStatus: 'pending',
      accountStatus: 'disabled',
      registrationMethod: 'import',
      submitter: { code: 'admin' },
    })
  })

  it('take "as above" to mean the preceding address', async () => {
    expect(await written({ billingType: '纸质普通发票', invoiceMailingAddress: '同上' }, 32)).toMatchObject({
      invoiceMailingAddress: '演示路100号3楼',
    })
    expect(await written({ billingType: '纸质普通发票', invoiceMailingAddress: ' As above ' }, 33)).toMatchObject({
      invoiceMailingAddress: '演示路100号3楼',
    })
    const [nothing] = await problems({
      billingType: '纸质普通发票',
      invoiceMailingAddress: '同上',
      consigneeAddress: null,
    })
    expect(nothing.map(([cell, code]) => `${cell} ${code}`)).toEqual(['Q2 required', 'R2 required'])
  })

  it('are read as people write them: either language, full width, spaces, dictionary values', async () => {
    expect(
      await written(
        {
          type: 'enterprise',
          billingType: 'No invoice',
          serviceTypes: 'Labour dispatch、薪酬代发',
          statementDay: '１５',
          uscc: ` ${String(customerRow(34).uscc).toLowerCase()} `,
          consigneeMobile: '+86 154 1234 5678',
        },
        34,
      ),
    ).toMatchObject({
      statementDay: 15,
      serviceTypes: ['dispatch', 'payrollAgency'],
      consigneeMobile: '15412345678',
      uscc: customerRow(34).uscc,
    })
  })

  it('report no second problem for a cell that follows from a wrong one', async () => {
    const list = await problems(
      { account: null, consigneeMobile: null },
      { account: null, consigneeMobile: '123' },
      { uscc: '9199', taxNumber: null, billingType: '数电普通发票', invoiceEmail: 'a@b.example.com' },
      { corporateName: null, billingType: '数电普通发票', invoiceEmail: 'a@b.example.com' },
    )
    expect(list.map((row) => row.map(([cell, code]) => `${cell} ${code}`))).toEqual([
      ['P2 required'],
      ['P3 format'],
      ['D4 format'],
      ['B5 required'],
    ])
  })
})

describe('a date in a file', () => {
  let dated: TestServer
  beforeAll(async () => {
    dated = await createTestServer({
      change(catalog) {
        const { import: plan } = catalog.screens['customer.imports'].body as unknown as { import: ImportPlan }
        const { customerImportRow: entity } = catalog.entities
        const { columns } = catalog.tables.customerImportRow
        const { label } = catalog.entities.customer.fields.establishedDate
        plan.columns.push({ field: 'establishedDate', label, required: false, compared: false })
        entity.fields.cellEstablishedDate = { ...entity.fields.cellRemark, name: 'cellEstablishedDate', label }
        columns.push({ ...columns.find(({ name }) => name === 'cellRemark')!, name: 'cellEstablishedDate' })
        return catalog
      },
    })
    await customerValues(dated)
  })
  afterAll(() => dated?.close())

  it('is read as text or as a spreadsheet date, and refused if it is neither', async () => {
    const given = ['2020-02-03', '2020/2/3', new Date(Date.UTC(2020, 1, 3)), '2020-02-30', '昨天', '2030-01-01']
    const id = await check(
      dated,
      given.map((establishedDate, index) => customerRow(200 + index, { establishedDate })),
    )
    const list = await rows(dated, id)
    expect(list.map(({ rowStatus, cellEstablishedDate }) => [rowStatus, cellEstablishedDate])).toEqual([
      ['toCreate', '2020-02-03'],
      ['toCreate', '2020/2/3'],
      ['toCreate', '2020-02-03'],
      ['failed', '2020-02-30'],
      ['failed', '昨天'],
      ['failed', '2030-01-01'],
    ])
    expect(list.slice(3).flatMap(problemsOf)).toEqual([
      ...['AA5', 'AA6'].map((cell) => [cell, 'date', '成立日期格式不正确', 'Date established is not a valid date']),
      ['AA7', 'max', '成立日期不能晚于今天', 'Date established cannot be later than today'],
    ])
    await write(dated, id)
    const { result } = await dated.admin.get('/customer/list', { fields: '["establishedDate"]' })
    expect(result.list.map(({ establishedDate }: RecordData) => establishedDate)).toEqual([
      '2020-02-03',
      '2020-02-03',
      '2020-02-03',
    ])
  })
})
