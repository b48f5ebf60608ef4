/** A file to fill in. Only the number and the price per month are needed. */
export const CSV_TEMPLATE = `number,country,area,type,carrier,monthly,setup,price,cost_monthly,cost,max_calls,tags,note
+442079460123,,London,local,,2.50,0,0.01,1.20,0.004,10,office;vip,International format
020 7946 0124,GB,London,local,,2.50,0,0.01,1.20,0.004,10,,National format with a country
`

export const TEMPLATE_NAME = 'numbers-template.csv'
