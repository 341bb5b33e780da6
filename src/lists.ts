/** The lists with which this product extends the engine, for everything on the Node side. */
import { kinds } from '../engine/screens/index.ts'
import type { Lists } from '../engine/schema/compile.ts'
import { engineMessages, engineReads } from '../engine/server/identity/identity.ts'
import { widgets } from '../engine/widgets/index.ts'
import { procedureNames } from './procedures/names.ts'
import { procedureMessages } from './procedures/procedureMessages.ts'
import uses from './procedures/uses.json' with { type: 'json' }

export const lists: Lists = {
  widgets,
  kinds,
  procedures: [
    'resetPassword',
    'giveFirstPassword',
    'checkMenuEntry',
    'importWrite',
    'importCancel',
    'importUndo',
    'importStopUndo',
    'importFix',
    ...procedureNames,
  ],
  uses,
  sends: [...Object.values(engineMessages), ...procedureMessages],
  reads: engineReads,
}
