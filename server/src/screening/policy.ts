/** The published policy: docs/guide/what-may-be-asked.md has a section for each of these, with the same anchor. */

import type { Config } from '../config.ts'
import { publicUrl } from '../kit/public-url.ts'

/** Raised whenever a rule or a section changes what may be asked. */
export const POLICY_VERSION = '2026-11-19'

export const SECTIONS = [
  'credentials-and-documents',
  'pretending-to-be-someone',
  'scouting-places',
  'fake-opinions',
  'getting-around-checks',
  'referral-rewards',
  'watching-people',
  'children',
  'one-time-codes',
  'weapons-and-drugs',
  'harassment',
  'medical',
] as const
export type Section = (typeof SECTIONS)[number]

export const policyUrl = (
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  section: Section,
): string => `${publicUrl(config)}/docs/what-may-be-asked#${section}`
