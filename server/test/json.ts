/** A test knows what it expects of a response better than the compiler can. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>
