/** The pages for the person behind the agent are next to the API. */
export const consoleUrlOf = (baseUrl: string) => baseUrl.replace(/(?:\/api\/v\d+)?$/, '/console')
