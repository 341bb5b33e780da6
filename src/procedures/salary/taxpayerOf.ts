import type { Part } from '../../../engine/server/procedure.ts'
import type { Taxpayer } from './taxLine.ts'

type Person = Part<'person', 'taxStartMonth' | 'firstJobThisYear' | 'fullSixty' | 'taxRelief' | 'reliefRate'>

/** The taxpayer's data, from the person's record. */
export const taxpayerOf = (person: Person): Taxpayer => ({
  taxStartMonth: person.taxStartMonth,
  firstJobThisYear: person.firstJobThisYear === true,
  fullSixty: person.fullSixty === true,
  reliefRate: person.taxRelief === 'none' ? null : person.reliefRate,
})
