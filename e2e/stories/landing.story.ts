import { expect, test } from '../support/story.ts'

/** With motion, as most users see it. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe('the landing page', () => {
  test('shows the texts of the specification', async ({ page }) => {
    await page.goto('/')
    for (const feature of [
      'VoIP and IVR solutions',
      'Enterprise security',
      'Real-time analytics',
      'Smart routing',
      'Multi-tenant support',
      '99.9% uptime',
    ])
      await expect(page.locator('#features').getByRole('heading', { name: feature })).toBeVisible()
    const pricing = page.locator('#pricing')
    for (const text of [
      'Starter',
      '$29',
      'Up to 1,000 minutes',
      'Professional',
      '$99',
      'Up to 10,000 minutes',
    ])
      await expect(pricing.getByText(text, { exact: true })).toBeVisible()
    for (const text of ['Most Popular', 'Enterprise', 'Custom', 'Unlimited minutes'])
      await expect(pricing.getByText(text, { exact: true })).toBeVisible()
    for (const text of ['99.9%', '50M+', '24/7'])
      await expect(
        page.locator('#home').or(page.locator('main')).getByText(text, { exact: true }).first(),
      ).toBeVisible()
  })

  test('leads to sign-in, and to sign-up from every Get Started button', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Login', exact: true }).first().click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true')
    for (const [name, at] of [
      ['Get Started Free', 0] as const,
      ...[0, 1, 2].map((n) => ['Get Started', n] as const),
    ]) {
      await page.goto('/')
      await page.getByRole('link', { name, exact: true }).nth(at).click()
      await expect(page).toHaveURL('/login?tab=sign-up')
      await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible()
    }
  })

  test('moves to its sections, from a menu on a phone', async ({ page }) => {
    await page.goto('/')
    for (const section of ['Features', 'Pricing', 'Contact', 'Home']) {
      await page.getByRole('banner').getByRole('link', { name: section, exact: true }).click()
      await expect(page).toHaveURL(`/#${section.toLowerCase()}`)
      await expect(page.locator(`#${section.toLowerCase()}`)).toBeInViewport()
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const pricing = page.getByRole('banner').getByRole('link', { name: 'Pricing', exact: true })
    await expect(pricing).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).press('Enter')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Home', exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await pricing.click()
    await expect(page.locator('#pricing')).toBeInViewport()
    await expect(pricing).toBeHidden()
  })

  test('takes clicks only when the app has replaced the prerendered page', async ({ page }) => {
    await page.addInitScript(`{
      let first
      const observer = new MutationObserver(() => {
        const root = document.getElementById('root')
        first ??= root?.querySelector('button')
        if (!first || root.dataset.prerendered !== undefined) return
        window.tookOver = !document.contains(first)
        observer.disconnect()
      })
      observer.observe(document, { childList: true, subtree: true, attributes: true })
    }`)
    await page.goto('/')
    await expect.poll(() => page.evaluate('window.tookOver')).toBe(true)
  })

  test('sends a message: Schedule Demo prefills it, errors are shown, the input stays', async ({ page }) => {
    await page.goto('/')
    await page
      .getByRole('button', { name: 'Schedule Demo' })
      .or(page.getByRole('link', { name: 'Schedule Demo' }))
      .click()
    const message = page.getByLabel('Message')
    await expect(message).toHaveValue(/demo/i)
    await expect(page.locator('#contact')).toBeInViewport()
    await page.getByLabel('Email address').fill('nowhere')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Please enter your full name')).toBeVisible()
    await expect(page.getByText('Please enter a valid email address')).toBeVisible()
    await page.getByLabel('Full name').fill('Dora Diaz')
    await page.getByLabel('Phone number').fill('+1 415 555 0142')
    await page.getByLabel('Email address').fill('dora@example.com')

    await page.route('**/api/contact', (route) => route.abort())
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(message).toHaveValue(/demo/i)
    await page.unroute('**/api/contact')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Thank you for your message. We will reply by email.')).toBeVisible()
  })
})

test.describe('the landing page without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('shows its texts and the name of the provider, and leads to sign-in', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('banner').getByText('Trunkline')).toBeVisible()
    await expect(page.locator('#pricing').getByText('$29', { exact: true })).toBeVisible()
    await expect(page.locator('#contact').getByRole('link', { name: /@/ })).toHaveAttribute(
      'href',
      /^mailto:\S+@/,
    )
    expect(await page.content()).not.toContain('__SUPPORT_')
    await page.getByRole('link', { name: 'Login', exact: true }).first().click()
    await expect(page).toHaveURL('/login')
  })
})
