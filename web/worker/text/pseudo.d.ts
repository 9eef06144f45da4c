declare module '*.json?pseudo' {
  const texts: Record<string, string>
  export default texts
}
