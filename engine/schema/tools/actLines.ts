import type { Download, EntityAction, Transition } from '../../model/model.ts'
import { text, type ExplainedLine } from './explained.ts'

type Act = Pick<Download, 'guards'> & Partial<Omit<Transition, 'job'> & Omit<EntityAction, 'job'>>

/** What a transition, an action or a download needs, prompts for and does, section by section. */
export function actLines(act: Act): Record<string, ExplainedLine[]> {
  const { from, to, field, when, guards, form = [], update = [], set = {}, run, notify = [] } = act
  const lines = (texts: readonly string[]) => texts.map((text) => ({ text: text }))
  return {
    Leads: to === undefined ? [] : lines([`${field}: ${from!.join(', ')} → ${to}`]),
    'Is offered': lines(when === undefined ? [] : [`when ${when}`]),
    'Is refused': guards.map(({ check, message }) => ({ text: `unless ${check} · ${text(message)}` })),
    'Prompts for': form.map(({ field: name, required }) => ({ text: `${name}${required ? ', required' : ''}` })),
    Does: lines([
      ...Object.entries(set).map(([name, formula]) => `sets ${name} to ${formula}`),
      ...(update.length ? [`sets what users enter: ${update.join(', ')}`] : []),
      ...(run === undefined ? [] : [`runs ${run}`]),
      ...notify.map(({ type }) => `sends a message of the type ${type}`),
    ]),
  }
}
