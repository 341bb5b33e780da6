import { sql } from 'kysely'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { banners, notices } from './publications.ts'
import type { Random } from '../random.ts'
import { storePicture } from '../pictures/storePicture.ts'
import type { Resolve } from '../Resolve.ts'

/** Announcements in every status, with many readers, and banners in every part of their period. */
export async function publish(context: Context, db: Db, random: Random, resolve: Resolve): Promise<void> {
  const { entities } = context.derived.catalog
  const pictures = new Map<string, RecordData>()
  const picture = async (label: string, shape: 'card' | 'banner') => {
    const key = `${label} ${shape}`
    if (!pictures.has(key)) pictures.set(key, await storePicture(context, db, label, pictures.size, shape))
    return [pictures.get(key)!]
  }
  const day = (days: number) =>
    new Date(Date.parse(`${context.now.slice(0, 10)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  /** In office hours, and never later than now. */
  const at = (days: number) => {
    const text = `${day(days)} ${String(random.integer(9, 17)).padStart(2, '0')}:${String(random.integer(0, 59)).padStart(2, '0')}:00`
    return text > context.now ? context.now : text
  }
  const publisher = resolve('user', 'publisher')
  const stamps = (time: string) => ({ createdBy: publisher, createdAt: time, updatedBy: publisher, updatedAt: time })

  const written: RecordData[] = []
  for (const notice of notices) {
    const time = at(notice.day)
    written.push({
      title: notice.title,
      category: notice.category,
      audience: notice.audience,
      content: notice.paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(''),
      departments: notice.departments?.map((name) => resolve('department', name)) ?? null,
      coverImage: notice.cover ? await picture(notice.cover, 'card') : null,
      top: notice.top ?? false,
      release: notice.status === 'released',
      status: notice.status,
      releasedAt: notice.status === 'unreleased' ? null : time,
      readCount: 0,
      ...stamps(time),
    })
  }
  // The newest come last, as in real use.
  written.sort((a, b) => (String(a.createdAt) < String(b.createdAt) ? -1 : 1))
  const noticeIds = await insertMany(context, db, entities.notice, written, { action: 'create' })
  const idOf = (title: string) => noticeIds[written.findIndex((notice) => notice.title === title)]
  await readThem(
    context,
    db,
    random,
    written.flatMap(({ status, releasedAt }, index) =>
      status === 'unreleased' ? [] : [{ id: noticeIds[index], releasedAt: String(releasedAt) }],
    ),
  )

  const shown: RecordData[] = []
  for (const [index, banner] of banners.entries()) {
    const { to } = banner
    shown.push({
      title: banner.title,
      type: banner.type,
      image: await picture(banner.picture, 'banner'),
      periodStart: `${day(banner.start)} 00:00:00`,
      periodEnd: `${day(banner.end)} 23:59:59`,
      linkKind: to === undefined ? 'none' : 'notice' in to ? 'notice' : 'route' in to ? 'route' : 'url',
      notice: to && 'notice' in to ? idOf(to.notice) : null,
      link: to && 'route' in to ? to.route : to && 'url' in to ? to.url : null,
      sort: (index + 1) * 10,
      status: banner.disabled ? 'disabled' : 'enabled',
      ...stamps(at(Math.min(banner.start, 0))),
    })
  }
  await insertMany(context, db, entities.banner, shown, { action: 'create' })
}

/** Some of the colleagues have opened each of them. */
async function readThem(
  context: Context,
  db: Db,
  random: Random,
  released: { id: number; releasedAt: string }[],
): Promise<void> {
  const users = await new ProcedureWork(context, db).read('user', {
    where: { status: 'enabled' },
    fields: ['loginName'],
  })
  for (const { id, releasedAt } of released) {
    const readers = random.some(users, random.integer(3, users.length - 2)).map((user) => user.id)
    // Readers are not records, so each of them would have to open it.
    await sql`insert into system_reader (entity, record_id, user_id, at) select 'notice', ${id}, reader, ${releasedAt}::timestamp(0) from unnest(${readers}::bigint[]) as reader`.execute(
      db,
    )
    // Opening is counted without history.
    await sql`update notice set "readCount" = ${readers.length} where id = ${id}`.execute(db)
  }
}
