/** A test knows the shape of a response better than the compiler can. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>
