import type { PageData } from './steps.js'
import { Viewer } from './viewer.js'

const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData
const live = document.getElementById('announce')!

const viewers = [...document.querySelectorAll<HTMLElement>('section.viewer')].map((section) => {
  const bug = data.bugs[Number(section.dataset.bug)]
  return bug.steps.length > 0
    ? new Viewer(section, bug, data.files, (text) => {
        live.textContent = text
      })
    : null
})

/** Of several bugs one is shown at a time. */
const sections = [...document.querySelectorAll<HTMLElement>('section.bug')]
const tabs = [...document.querySelectorAll<HTMLAnchorElement>('nav.tabs a')]

function showBug(index: number): void {
  sections.forEach((section, i) => {
    section.hidden = i !== index
  })
  tabs.forEach((tab, i) => {
    if (i === index) tab.setAttribute('aria-current', 'true')
    else tab.removeAttribute('aria-current')
  })
}

function follow(): void {
  const { hash } = location
  const bug = /^#(?:bug|b)(\d+)/.exec(hash)
  if (bug && sections[Number(bug[1]) - 1]) showBug(Number(bug[1]) - 1)
  for (const viewer of viewers) {
    if (viewer?.goTo(hash, false)) viewer.section.scrollIntoView({ block: 'start' })
  }
}

if (sections.length > 1) showBug(0)
follow()
addEventListener('hashchange', follow)

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  const isTyping =
    target.matches('select, textarea') ||
    (target.matches('input') && (target as HTMLInputElement).type !== 'checkbox')
  if (isTyping) return
  const viewer = viewers.find((v) => v !== null && !v.section.closest<HTMLElement>('section.bug')!.hidden)
  const isInside =
    viewer?.section.querySelector('.split')?.contains(target) === true && !target.closest('.source')
  if (viewer?.press(event.key, isInside)) event.preventDefault()
})

for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
  button.addEventListener('click', async () => {
    const text = button.parentElement!.querySelector('code')!.textContent!
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      // Pages from files may not be allowed to: then the text is at least selected.
      getSelection()?.selectAllChildren(button.parentElement!.querySelector('code')!)
    }
  })
}
