import type { DisplayProps, WidgetView } from '../../client/view.ts'
import { textEdit, TextFilter } from '../text/text.view.tsx'
import { uscc, usccParts } from './uscc.ts'

/** The gaps are drawn, not written, so that the bare code is copied. */
const Display = ({ value }: DisplayProps<string>) =>
  value && (
    <span>
      {usccParts(value).map((part, index) => (
        <span key={index} style={index ? { marginInlineStart: '0.4em' } : undefined}>
          {part}
        </span>
      ))}
    </span>
  )

export const usccView: WidgetView = { Edit: textEdit(uscc), Display, Filter: TextFilter }
