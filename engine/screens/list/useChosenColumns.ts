import { useNotices } from '../../client/notices.tsx'
import { useMemo } from 'react'
import { usePreference } from '../../client/records.ts'
import { reportError } from '../../client/reportResult.tsx'
import { useWords } from '../../client/words.ts'
import type { EntityPlan, ScreenPlan } from '../../model/model.ts'
import { arrangeColumns } from './columnChoices.ts'
import type { ListPreference } from './columnChoices.ts'
import type { ListPlan } from './list.ts'
import { preferenceOf } from './listRead.ts'

/** The columns with the user's settings: order, widths, visibility; and the row height. */
export function useChosenColumns({ name, body }: ScreenPlan<ListPlan>, { fields }: EntityPlan) {
  const app = useNotices()
  const words = useWords()
  const preference = usePreference<ListPreference>(preferenceOf(name))
  const planned = useMemo(() => body.columns.filter(({ field }) => fields[field]), [body.columns, fields])
  const arranged = useMemo(() => arrangeColumns(planned, preference.value), [planned, preference.value])
  return {
    planned,
    arranged,
    density: preference.value?.density ?? 'standard',
    isPending: preference.isPending,
    keep: (part: ListPreference) =>
      void preference
        .save({ ...preference.value, ...part })
        .catch((reason: unknown) => reportError(app, words, reason)),
  } as const
}
