import { describe, expect, it } from 'vitest'
import { scaleBand, scaleLinear } from './scales.ts'

describe('scaleLinear', () => {
  it('places values between the ends of the range', () => {
    const y = scaleLinear({ domain: [0, 40], range: [200, 0] })
    expect([y(0), y(10), y(40)]).toEqual([200, 150, 0])
  })

  it('extends the domain to round ticks', () => {
    const y = scaleLinear({ domain: [-3, 97], range: [120, 0], nice: 4 })
    expect(y.ticks(4)).toEqual([-20, 0, 20, 40, 60, 80, 100])
    expect([y(-20), y(100)]).toEqual([120, 0])
  })

  it('finds the value at a position', () => {
    const x = scaleLinear({ domain: [0, 23], range: [0, 460] })
    expect(x.invert(100)).toBe(5)
  })

  it('places every value in the middle if the domain has no width', () => {
    expect(scaleLinear({ domain: [0, 0], range: [0, 100] })(0)).toBe(50)
  })
})

describe('scaleBand', () => {
  it('divides the range into equal bands with space around them', () => {
    const x = scaleBand({ domain: ['a', 'b', 'c'], range: [0, 130], padding: 0.25 })
    expect(x.step()).toBe(40)
    expect(x.bandwidth()).toBe(30)
    expect([x('a'), x('b'), x('c')]).toEqual([10, 50, 90])
  })

  it('gives an unknown name no position', () => {
    expect(scaleBand({ domain: ['a'], range: [0, 10], padding: 0.2 })('b')).toBeUndefined()
  })

  it('accepts an empty domain', () => {
    expect(scaleBand({ domain: [], range: [0, 10], padding: 0.2 })('a')).toBeUndefined()
  })
})
