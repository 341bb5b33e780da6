import type { Part } from '../../../engine/server/procedure.ts'
import type { Taxpayer } from './taxLine.ts'

type Person = Part<'person', 'taxStartMonth' | 'firstJobThisYear' | 'fullSixty' | 'taxRelief' | 'reliefRate'>

/** What the law asks of a person, as their record says it. */
export const taxpayerOf = (person: Person): Taxpayer => ({
  taxStartMonth: person.taxStartMonth,
  firstJobThisYear: person.firstJobThisYear === true,
  fullSixty: person.fullSixty === true,
  reliefRate: person.taxRelief === 'none' ? null : person.reliefRate,
})
