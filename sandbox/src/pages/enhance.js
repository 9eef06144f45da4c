/** Progressive enhancement. Every page works without scripts. */

/** Fills in a test card on click. */
for (const button of document.querySelectorAll('button[data-card]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const form = document.querySelector('form[data-card-form]')
    const fields = { number: button.dataset.card, expiry: '12 / 34', cvc: '123' }
    for (const [name, value] of Object.entries(fields)) form.elements[name].value = value
    if (form.elements.name.value === '') form.elements.name.value = 'Test Payer'
    form.querySelector('button[type=submit], button:not([type])').focus()
  })
}

/** Formats digits in groups of four, and a slash between month and year, as on a card. */
const groups = {
  number: (digits) => digits.slice(0, 19).replaceAll(/(\d{4})(?=\d)/g, '$1 '),
  expiry: (digits) => digits.slice(0, 4).replace(/^(\d{2})(?=\d)/, '$1 / '),
}
for (const [name, grouped] of Object.entries(groups)) {
  const field = document.querySelector(`form[data-card-form] [name=${name}]`)
  field?.addEventListener('input', (event) => {
    // Don't reformat while the user deletes or types in the middle: the caret would jump.
    const atEnd = field.selectionStart === field.value.length
    if (!atEnd || event.inputType?.startsWith('delete')) return
    field.value = grouped(field.value.replaceAll(/\D/g, ''))
  })
}

/** Prevents double submits while the first one is in flight. */
for (const form of document.querySelectorAll('form[method=post]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    const button = event.submitter
    if (!button) return
    button.dataset.text = button.textContent
    button.setAttribute('aria-disabled', 'true')
    if (button.dataset.busy) button.textContent = button.dataset.busy
  })
}

/** Re-enables forms when the browser restores a page from its back/forward cache. */
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
  for (const button of document.querySelectorAll('button[data-text]')) {
    button.textContent = button.dataset.text
    button.removeAttribute('aria-disabled')
    delete button.dataset.text
  }
})
