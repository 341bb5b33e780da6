import { clockOn } from '../clock.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'

/**
 * Where stories are played: each company in a city of its own, so one server plays as many stories as it has cities.
 */
export class Stage {
  private static current?: Stage
  private count = 0

  private constructor(
    readonly house: TestServer,
    readonly clerk: Client,
    readonly manager: Client,
    readonly cashier: Client,
    readonly bank: number,
    private readonly cities: string[],
  ) {}

  /** A city in which no story has been played yet. */
  static async next(): Promise<{ stage: Stage; city: string }> {
    const city = Stage.current?.cities.pop()
    if (city !== undefined) {
      // The year starts again with no month closed, and what earlier companies left open keeps none from being closed.
      await Stage.current!.house.database.pool.query(
        `update system_daily_rule set day = '2026-01-04';
        update parameter set "closedMonth" = null;
        update system_overlay set version = version + 1;
        update customer set "accountStatus" = 'disabled';
        update statement set stage = 'voided' where stage = 'generated'`,
      )
      return { stage: Stage.current!, city }
    }
    await Stage.end()
    const house = await createTestServer()
    const cities = house.runtime.derived.catalog.dictionaries.city.choices.map(({ value }) => value)
    const bank = await house.create('/bank/bank', {
      bankName: '北辰示范银行',
      branchName: '北辰示范银行演示支行',
      cnapsCode: '991100000012',
      kind: 'jointStock',
      city: '320500',
      wageSupported: true,
    })
    Stage.current = new Stage(
      house,
      await house.user('paying', ['payrollClerk']),
      await house.user('deciding', ['financeManager']),
      await house.user('cashing', ['cashier']),
      bank,
      cities,
    )
    return Stage.next()
  }

  static async end(): Promise<void> {
    const { current } = Stage
    Stage.current = undefined
    await current?.house.close()
  }

  /** A number not used on this stage before. */
  next(): number {
    return ++this.count
  }

  goTo(day: string): void {
    Object.assign(this.house.runtime, { clock: clockOn(day) })
  }
}
