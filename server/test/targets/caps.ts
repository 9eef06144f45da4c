/** The default caps on targets, which other tests switch off. */
export const TARGET_CAPS = {
  TARGET_PHONE_DAY_MAX: 5,
  TARGET_PHONE_MONTH_MAX: 50,
  TARGET_PLACE_DAY_MAX: 50,
  TARGET_PLACE_MONTH_MAX: 500,
  TARGET_PERSON_DAY_MAX: 3,
  TARGET_PERSON_MONTH_MAX: 10,
}
