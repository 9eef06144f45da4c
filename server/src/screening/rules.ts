/** Every screening rule, in the order of the policy's sections. The first one that refuses is the one that is told. */
import type { Rule } from './rule.ts'
import { CHILDREN_RULES } from './rules/children.ts'
import { CREDENTIALS_AND_DOCUMENTS } from './rules/credentials-and-documents.ts'
import { DOUBTS } from './rules/doubts.ts'
import { FAKE_OPINIONS } from './rules/fake-opinions.ts'
import { GETTING_AROUND_CHECKS } from './rules/getting-around-checks.ts'
import { HARASSMENT } from './rules/harassment.ts'
import { MEDICAL } from './rules/medical.ts'
import { ONE_TIME_CODES } from './rules/one-time-codes.ts'
import { PRETENDING_TO_BE_SOMEONE } from './rules/pretending-to-be-someone.ts'
import { REFERRAL_REWARDS } from './rules/referral-rewards.ts'
import { SCOUTING_PLACES } from './rules/scouting-places.ts'
import { WATCHING_PEOPLE } from './rules/watching-people.ts'
import { WEAPONS_AND_DRUGS } from './rules/weapons-and-drugs.ts'

export const RULES: readonly Rule[] = [
  ...CREDENTIALS_AND_DOCUMENTS,
  ...PRETENDING_TO_BE_SOMEONE,
  ...SCOUTING_PLACES,
  ...FAKE_OPINIONS,
  ...GETTING_AROUND_CHECKS,
  ...REFERRAL_REWARDS,
  ...WATCHING_PEOPLE,
  ...CHILDREN_RULES,
  ...ONE_TIME_CODES,
  ...WEAPONS_AND_DRUGS,
  ...HARASSMENT,
  ...MEDICAL,
  ...DOUBTS,
]
