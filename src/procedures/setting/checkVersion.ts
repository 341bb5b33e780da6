import { procedure } from '../../../engine/server/procedure.ts'

/**
 * Checks that an app's version number is higher than all others of its platform, because phones go by it.
 * @throws Refusal invalid.
 */
export const checkVersion = procedure<'appVersion'>(async (work, { records }) => {
  for (const { id, platform, versionNumber } of records) {
    const [{ max }] = await work.groups('appVersion', {
      where: { platform, id: { not: id } },
      by: [],
      max: ['versionNumber'],
    })
    const last = max.versionNumber
    if (last === null || versionNumber > last) continue
    work.refuse('appVersion', [
      {
        field: 'versionNumber',
        code: 'notLater',
        message: {
          cn: `版本号须大于该平台已有的最大版本号${last}`,
          en: `The version number must be higher than the platform's latest, ${last}`,
        },
      },
    ])
  }
})
