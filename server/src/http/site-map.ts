/** `/robots.txt` and `/sitemap.xml`. Pages that search engines should not list have the header `x-robots-tag`. */
import { escapeHtml } from '../kit/html.ts'

/** The API's responses are no pages, and reading them counts toward its rate limits. */
export const renderRobots = (publicUrl: string) => `User-agent: *
Disallow: /api/

Sitemap: ${publicUrl}/sitemap.xml
`

export function renderSiteMap(publicUrl: string, paths: string[]): string {
  const urls = paths.map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}
