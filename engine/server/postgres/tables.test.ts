import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, createTestDatabase } from '../../../tests/database.ts'
import type { TablePlan } from '../../model/model.ts'
import { buildIndexes } from './buildIndexes.ts'
import { LossyChangesError, applyTables, planChanges } from './tables.ts'
import { constraintName } from './constraintName.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('drop schema public cascade')
  await database.pool.query('create schema public')
  await database.pool.query('create extension if not exists pg_trgm')
})

type Column = TablePlan['columns'][number]
const column = (name: string, type: string, rest: Partial<Column> = {}): Column => ({
  name,
  type,
  nullable: true,
  ...rest,
})
const table = (name: string, columns: Column[], rest: Partial<TablePlan> = {}): Record<string, TablePlan> => ({
  [name]: { name, columns, unique: [], indexes: [], ...rest },
})

const run = async (text: string, values?: unknown[]) => (await database.pool.query(text, values)).rows
const columnType = async (name: string, table = 'customer') =>
  (
    await run(
      `select format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end as type
   from pg_attribute where attrelid = $1::regclass and attname = $2`,
      [`"${table}"`, name],
    )
  )[0]?.type
const indexNames = async (table = 'customer') =>
  (await run('select indexname as name from pg_indexes where tablename = $1 order by 1', [table])).map(
    (row) => row.name,
  )
const failure = async (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('It did not fail.')
    },
    (error: Error) => error,
  )
const lossy = async (tables: Record<string, TablePlan>) => {
  const error = await failure(applyTables(database, tables))
  expect(error).toBeInstanceOf(LossyChangesError)
  return (error as LossyChangesError).changes
}

describe('create', () => {
  it('creates the table with its own and the common columns', async () => {
    await applyTables(
      database,
      table(
        'customer',
        [
          column('name', 'varchar(60)', { nullable: false }),
          column('客户"等级', 'text'),
          column('balance', 'numeric(16, 2)'),
          column('labels', 'text[]'),
        ],
        {
          indexes: [
            { columns: ['name', 'balance'], method: 'btree' },
            { columns: ['labels'], method: 'gin' },
          ],
        },
      ),
    )
    expect(
      await run(`select column_name as n, is_nullable as e from information_schema.columns
      where table_name = 'customer' order by ordinal_position`),
    ).toEqual(
      [
        ['id', 'NO'],
        ['revision', 'NO'],
        ['createdBy', 'YES'],
        ['createdAt', 'YES'],
        ['updatedBy', 'YES'],
        ['updatedAt', 'YES'],
        ['deletedAt', 'YES'],
        ['searchText', 'YES'],
        ['name', 'NO'],
        ['客户"等级', 'YES'],
        ['balance', 'YES'],
        ['labels', 'YES'],
      ].map(([n, e]) => ({ n, e })),
    )
    expect(await columnType('balance')).toBe('numeric(16,2)')
    expect(await indexNames()).toEqual([
      'customer_id_living',
      'customer_labels_gin',
      'customer_name_balance_index',
      'customer_pkey',
      'customer_searchText_trigram',
    ])
    expect(await run('insert into customer (name) values ($1) returning id, revision', ['a'])).toEqual([
      { id: 1, revision: 1 },
    ])
  })

  it('has nothing to do the second time', async () => {
    const tables = {
      ...table(
        'customer',
        [
          column('name', 'varchar(60)', { nullable: false }),
          column('rate', 'decimal(7,4)'),
          column('start', 'date'),
          column('at', 'timestamp(0)'),
          column('big', 'int8'),
          column('small', 'int'),
          column('yes', 'bool'),
          column('month', 'char(7)'),
          column('some', 'bigint[]'),
          column('more', 'jsonb'),
          column('parent', 'bigint', { references: 'customer' }),
        ],
        { unique: [{ columns: ['name'] }], indexes: [{ columns: ['name'], method: 'trigram' }] },
      ),
    }
    await applyTables(database, tables)
    expect(await planChanges(database, tables)).toEqual({ additive: [], later: [], lossy: [], orphans: [], notes: [] })
  })

  it('finds the first page of a list by the index of its order', async () => {
    const tables = table('customer', [column('amount', 'integer'), column('start', 'date')], {
      indexes: [
        { columns: ['amount'], method: 'descending' },
        { columns: ['start'], method: 'ascending' },
      ],
    })
    await applyTables(database, tables)
    expect((await planChanges(database, tables)).additive).toEqual([])
    await run(`insert into customer (amount, start) select nullif(n % 100, 0), date '2026-01-01' + nullif(n % 90, 0)
      from generate_series(1, 5000) n`)
    await run('analyze customer')
    for (const [order, index] of [
      ['amount desc nulls last, id desc', 'customer_amount_id_descending'],
      ['start asc nulls last, id asc', 'customer_start_id_ascending'],
    ]) {
      const plan = await run(`explain select id from customer where "deletedAt" is null order by ${order} limit 20`)
      expect(JSON.stringify(plan)).toContain(index)
      expect(JSON.stringify(plan)).not.toContain('Sort')
    }
  })

  it('builds indexes of a large table without blocking writers, and rebuilds broken ones', async () => {
    const plain = table('customer', [column('name', 'text')])
    await applyTables(database, plain)
    await run('alter table customer alter column name set storage plain')
    await run(`insert into customer (name) select n || repeat('x', 7000) from generate_series(1, 4500) n`)
    const indexed = table('customer', [column('name', 'text'), column('amount', 'integer')], {
      indexes: [{ columns: ['createdAt'], method: 'descending' }],
    })
    const { additive, later } = await applyTables(database, indexed)
    expect(additive.join()).not.toContain('create index')
    expect(later.map(({ name }) => name)).toEqual(['customer_createdAt_id_descending'])
    // The state that an interrupted build leaves.
    await failure(run('create unique index concurrently "customer_createdAt_id_descending" on customer ((true))'))
    expect((await planChanges(database, indexed)).later).toEqual(later)
    const writer = await database.pool.connect()
    await writer.query('begin')
    await writer.query(`insert into customer (name) values ('meanwhile')`)
    const building = buildIndexes(database, later)
    // The build waits for the writer, but blocks nobody.
    await run(`insert into customer (name) values ('another')`)
    await writer.query('commit')
    writer.release()
    await building
    expect(await planChanges(database, indexed)).toMatchObject({ additive: [], later: [] })
  })

  it('leaves out trigram indexes if the extension is missing', async () => {
    const wanted = table('customer', [column('name', 'text')], { indexes: [{ columns: ['name'], method: 'trigram' }] })
    await applyTables({ ...database, trigram: false }, wanted)
    expect(await indexNames()).toEqual(['customer_id_living', 'customer_pkey'])
  })

  it('can run on several servers at once', async () => {
    const tables = table('customer', [column('name', 'text')])
    const done = await Promise.all([1, 2, 3].map(() => applyTables(database, tables)))
    expect(done.filter(({ additive }) => additive.length)).toHaveLength(1)
  })

  it('refuses an invalid column type', async () => {
    await expect(applyTables(database, table('customer', [column('name', 'text); drop table x; --')]))).rejects.toThrow(
      /is not a column type/,
    )
  })
})

describe('columns', () => {
  it('adds that of a state, with the first state in the records that are there', async () => {
    await applyTables(database, table('customer', []))
    await run('insert into customer default values')
    const withState = table('customer', [column('status', 'text', { initial: "draft's" })])
    await applyTables(database, withState)
    await run('insert into customer default values')
    expect(await run('select status from customer order by id')).toEqual([{ status: "draft's" }, { status: null }])
    expect((await applyTables(database, withState)).notes).toEqual([])
  })

  it('adds one, and requires values only once no record lacks one', async () => {
    await applyTables(database, table('customer', []))
    await applyTables(database, table('customer', [column('code', 'text', { nullable: false })]))
    expect(await columnType('code')).toBe('text not null')
    await run("insert into customer (code) values ('a')")
    const more = table('customer', [column('code', 'text'), column('name', 'text', { nullable: false })])
    const { notes } = await applyTables(database, more)
    expect(notes).toEqual([
      'customer.name is required but empty in some records (1): until they are filled the database does not insist.',
    ])
    expect([await columnType('code'), await columnType('name')]).toEqual(['text', 'text'])
    await run("update customer set name = 'x'")
    expect((await applyTables(database, more)).notes).toEqual([])
    expect(await columnType('name')).toBe('text not null')
  })

  it.each([
    ['varchar(10)', 'varchar(20)', '中文', '中文'],
    ['varchar(10)', 'text', 'x', 'x'],
    ['char(7)', 'text', '2026-03', '2026-03'],
    ['smallint', 'integer', '7', '7'],
    ['integer', 'bigint', '7', '7'],
    ['integer', 'numeric(16,2)', '7', '7.00'],
    ['numeric(10,2)', 'numeric(16,4)', '1.50', '1.5000'],
    ['date', 'timestamp(0)', '2026-03-01', '2026-03-01 00:00:00'],
    ['bigint', 'bigint[]', '7', '{7}'],
    ['text', 'text[]', 'a', '{a}'],
  ])('widens %s to %s', async (from, to, given, after) => {
    await applyTables(database, table('customer', [column('value', from)]))
    await run('insert into customer (value) values ($1), (null)', [given])
    const wanted = table('customer', [column('value', to)])
    await applyTables(database, wanted)
    expect(await run('select value::text from customer order by id')).toEqual([{ value: after }, { value: null }])
    expect(await planChanges(database, wanted)).toMatchObject({ additive: [] })
  })

  it.each([
    ['text', 'varchar(3)', ['abc'], ['abcd'], 1],
    ['numeric(16,4)', 'numeric(16,2)', ['1.5000'], ['1.5050', '2.00'], 1],
    ['numeric(16,2)', 'numeric(5,2)', ['999.99'], ['1000'], 1],
    ['bigint', 'integer', ['2147483647'], ['2147483648'], 1],
    ['numeric(16,2)', 'bigint', ['5.00'], ['5.10'], 1],
    ['text', 'date', [], ['2026-01-01', 'never'], 2],
    ['jsonb', 'text', [], ['{}'], 1],
    ['bigint[]', 'bigint', [], ['{1}'], 1],
  ])('narrows %s to %s only if nothing is lost', async (from, to, fitting, failing, rows) => {
    const wanted = table('customer', [column('value', to)])
    await applyTables(database, table('customer', [column('value', from)]))
    await run('insert into customer (value) values (null)')
    for (const value of failing) await run('insert into customer (value) values ($1)', [value])
    const before = await columnType('value')
    expect(await lossy(wanted)).toEqual([
      {
        table: 'customer',
        column: 'value',
        rows,
        why: expect.stringContaining('without loss'),
        sql: expect.stringMatching(/^alter table "customer" alter column "value" type /),
      },
    ])
    expect(await columnType('value')).toBe(before)
    await run('delete from customer where value is not null')
    for (const value of fitting) await run('insert into customer (value) values ($1)', [value])
    await applyTables(database, wanted)
    expect(await columnType('value')).not.toBe(before)
    expect((await run('select value from customer where value is not null')).length).toBe(fitting.length)
  })

  it('applies nothing of a catalog with a lossy change, and reports the SQL needed', async () => {
    await applyTables(database, table('customer', [column('name', 'text')]))
    await run("insert into customer (name) values ('long name')")
    const wanted = {
      ...table('customer', [column('name', 'varchar(4)'), column('more', 'text')]),
      ...table('bank', []),
    }
    expect((await failure(applyTables(database, wanted))).message).toBe(
      'The schema files want changes of the database that would lose data, so none was made. Undo them, or run this SQL first:\n' +
        '  customer.name: text cannot become character varying(4) without loss (records: 1)\n' +
        '    alter table "customer" alter column "name" type character varying(4) using "name"::character varying(4);',
    )
    expect(await columnType('more')).toBe(undefined)
    expect(await run("select to_regclass('bank') as bank")).toEqual([{ bank: null }])
  })

  it('renames a column with its values, indexes and references', async () => {
    const plan = (name: string, parent: string, rest: Partial<Column> = {}) =>
      table(
        'customer',
        [
          column(name, 'varchar(9)', { nullable: false, ...rest }),
          column(parent, 'bigint', { references: 'customer', ...(rest.was ? { was: 'parent' } : {}) }),
        ],
        { unique: [{ columns: [name] }], indexes: [{ columns: [parent, name], method: 'btree' }] },
      )
    await applyTables(database, plan('uscc', 'parent'))
    await run("insert into customer (uscc) values ('a'), ('b')")
    const wanted = plan('creditCode', 'owner', { was: 'uscc' })
    const { additive } = await applyTables(database, wanted)
    expect(additive.filter((statement) => !/ rename /.test(statement))).toEqual([])
    expect(await run('select "creditCode" as c from customer order by id')).toEqual([{ c: 'a' }, { c: 'b' }])
    expect(await indexNames()).toEqual([
      'customer_creditCode_unique',
      'customer_id_living',
      'customer_owner_creditCode_index',
      'customer_pkey',
      'customer_searchText_trigram',
    ])
    expect(await planChanges(database, wanted)).toMatchObject({ additive: [], orphans: [] })
  })

  it('renames and widens in one change', async () => {
    await applyTables(database, table('customer', [column('old', 'varchar(3)')]))
    await run("insert into customer (old) values ('abc')")
    await applyTables(database, table('customer', [column('new', 'varchar(9)', { was: 'old' })]))
    expect(await run('select new from customer')).toEqual([{ new: 'abc' }])
    expect(await columnType('new')).toBe('character varying(9)')
  })

  it('keeps what left the catalog, so that it blocks nothing and returns complete', async () => {
    const full = {
      ...table('bank', [column('customer', 'bigint', { references: 'customer', nullable: false })]),
      ...table('customer', [column('name', 'text'), column('uscc', 'text', { nullable: false })], {
        unique: [{ columns: ['uscc'] }],
      }),
    }
    await applyTables(database, full)
    await run("insert into customer (name, uscc) values ('a', '1')")
    await run('insert into bank (customer) values (1)')
    const { orphans } = await applyTables(database, table('customer', [column('name', 'text')]))
    expect(orphans).toEqual(['bank', 'customer.uscc'])
    await run("insert into customer (name) values ('b')")
    await run("delete from customer where name = 'b'")
    expect((await applyTables(database, full)).orphans).toEqual([])
    expect(await columnType('uscc')).toBe('text not null')
    expect(await run('select uscc from customer')).toEqual([{ uscc: '1' }])
    await expect(run('delete from customer')).rejects.toThrow(/bank_customer_reference/)
  })
})

describe('unique', () => {
  const wanted = table('customer', [column('name', 'text'), column('city', 'text')], {
    unique: [{ columns: ['name', 'city'] }],
  })

  it('ignores deleted records', async () => {
    await applyTables(database, wanted)
    const insert = () => run("insert into customer (name, city) values ('a', 'b')")
    await insert()
    await expect(insert()).rejects.toMatchObject({
      code: '23505',
      constraint: constraintName('customer', ['name', 'city'], 'unique'),
    })
    await run('update customer set "deletedAt" = now()')
    await insert()
  })

  it('treats an empty scope as a group, and an empty value as none', async () => {
    await applyTables(database, wanted)
    await run("insert into customer (name, city) values (null, 'b'), ('a', null), ('a', null)")
    await expect(run("insert into customer (name, city) values (null, 'b')")).rejects.toMatchObject({ code: '23505' })
    await run("insert into customer (name, city) values (null, 'c')")
  })

  it('becomes stricter if an older version did not treat an empty scope as a group', async () => {
    await applyTables(database, wanted)
    const name = constraintName('customer', ['name', 'city'], 'unique')
    await run(`drop index "${name}"`)
    await run(`create unique index "${name}" on customer (name, city) where "deletedAt" is null`)
    await applyTables(database, wanted)
    await run("insert into customer (name, city) values (null, 'b')")
    await expect(run("insert into customer (name, city) values (null, 'b')")).rejects.toMatchObject({ code: '23505' })
    expect((await planChanges(database, wanted)).additive).toEqual([])
  })

  it('is refused for duplicate values, and dropped when the catalog no longer wants it', async () => {
    await applyTables(database, table('customer', [column('name', 'text'), column('city', 'text')]))
    await run("insert into customer (name, city) values ('a', 'b'), ('a', 'b'), ('a', null), ('a', null), ('c', 'b')")
    expect(await lossy(wanted)).toEqual([
      {
        table: 'customer',
        column: 'name, city',
        rows: 2,
        why: 'the values are to be unique and are not',
        sql: 'create unique index "customer_name_city_unique" on "customer" ("name", "city") nulls not distinct where "city" is not null and "deletedAt" is null',
      },
    ])
    await run('delete from customer where id = 2')
    await applyTables(database, wanted)
    await run('create index by_hand on customer (city)')
    await applyTables(database, table('customer', [column('name', 'text'), column('city', 'text')]))
    expect(await indexNames()).toEqual([
      'by_hand',
      'customer_id_living',
      'customer_pkey',
      'customer_searchText_trigram',
    ])
  })
})

describe('references', () => {
  const contract = (target: string) => table('contract', [column('customer', 'bigint', { references: target })])
  const wanted = { ...contract('customer'), ...table('customer', []), ...table('bank', []) }

  it('are checked at the end of the transaction', async () => {
    await applyTables(database, wanted)
    await expect(run('insert into contract (customer) values (5)')).rejects.toMatchObject({
      code: '23503',
      constraint: 'contract_customer_reference',
    })
    await run('begin; insert into contract (customer) values (7); insert into customer (id) values (7); commit')
  })

  it('are refused if records are missing, and follow a new target', async () => {
    await applyTables(database, { ...table('contract', [column('customer', 'bigint')]), ...table('customer', []) })
    await run('insert into contract (customer) values (5), (6), (null)')
    await run('insert into customer (id) values (5)')
    expect(await lossy(wanted)).toMatchObject([
      { table: 'contract', column: 'customer', rows: 1, why: 'the values are to be records of customer and are not' },
    ])
    await run('delete from contract where customer = 6')
    await applyTables(database, wanted)
    await run('delete from contract')
    await applyTables(database, { ...wanted, ...contract('bank') })
    expect(
      await run('select confrelid::regclass::text as target from pg_constraint where conname = $1', [
        'contract_customer_reference',
      ]),
    ).toEqual([{ target: 'bank' }])
  })
})

describe('names', () => {
  it('stay within 63 bytes, and distinct', () => {
    const long = constraintName('社保增员导入明细', ['一个非常长的字段名称', '另一个非常长的字段名称'], 'unique')
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(63)
    expect(long).toBe(constraintName('社保增员导入明细', ['一个非常长的字段名称', '另一个非常长的字段名称'], 'unique'))
    expect(long).not.toBe(
      constraintName('社保增员导入明细', ['一个非常长的字段名称', '另一个非常长的字段名字'], 'unique'),
    )
    expect(constraintName('a', ['b_c', 'd'], 'index')).not.toBe(constraintName('a', ['b', 'c_d'], 'index'))
  })
})
