/** From least to most; the SQL function agents_room numbers them from 1. */
export const TIERS = ['unverified', 'verified', 'paid', 'identified'] as const
export type Tier = (typeof TIERS)[number]
