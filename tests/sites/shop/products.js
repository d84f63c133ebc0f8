// The catalogue. In a real shop this would come from a server.
export const products = [
  {
    id: 'trail-cap',
    name: 'Trail Cap',
    category: 'hats',
    price: 24,
    colours: ['red', 'green', 'black'],
    sizes: ['S', 'M', 'L'],
    stock: 40,
    text: 'A light cap with a breathable band.',
  },
  {
    id: 'wool-beanie',
    name: 'Wool Beanie',
    category: 'hats',
    price: 29,
    colours: ['grey', 'blue'],
    sizes: ['one size'],
    stock: 12,
    text: 'Merino wool, warm down to -10 °C.',
  },
  {
    id: 'sun-hat',
    name: 'Sun Hat',
    category: 'hats',
    price: 35,
    colours: ['beige'],
    sizes: ['M', 'L'],
    stock: 7,
    text: 'A wide brim with UPF 50.',
  },
  {
    id: 'ridge-boots',
    name: 'Ridge Boots',
    category: 'shoes',
    price: 149,
    colours: ['brown', 'black'],
    sizes: ['39', '40', '41', '42', '43', '44'],
    stock: 18,
    text: 'Waterproof leather boots for long days.',
  },
  {
    id: 'creek-sandals',
    name: 'Creek Sandals',
    category: 'shoes',
    price: 59,
    colours: ['black', 'blue'],
    sizes: ['39', '40', '41', '42', '43'],
    stock: 25,
    text: 'Quick-drying sandals with a grippy sole.',
  },
  {
    id: 'pace-runners',
    name: 'Pace Runners',
    category: 'shoes',
    price: 119,
    colours: ['red', 'white'],
    sizes: ['39', '40', '41', '42', '43', '44'],
    stock: 30,
    text: 'Road running shoes with a soft landing.',
  },
  {
    id: 'summit-jacket',
    name: 'Summit Jacket',
    category: 'jackets',
    price: 219,
    colours: ['blue', 'black'],
    sizes: ['S', 'M', 'L', 'XL'],
    stock: 9,
    text: 'A three-layer shell for bad weather.',
  },
  {
    id: 'drift-fleece',
    name: 'Drift Fleece',
    category: 'jackets',
    price: 89,
    colours: ['green', 'grey'],
    sizes: ['S', 'M', 'L', 'XL'],
    stock: 22,
    text: 'A midlayer made of recycled fleece.',
  },
  {
    id: 'camp-mug',
    name: 'Camp Mug',
    category: 'gear',
    price: 14,
    colours: ['white', 'red'],
    sizes: ['350 ml'],
    stock: 80,
    text: 'An enamel mug that survives a fall.',
  },
  {
    id: 'day-pack',
    name: 'Day Pack',
    category: 'gear',
    price: 79,
    colours: ['green', 'black'],
    sizes: ['20 l', '28 l'],
    stock: 15,
    text: 'A day pack with a rain cover.',
  },
  {
    id: 'head-torch',
    name: 'Head Torch',
    category: 'gear',
    price: 45,
    colours: ['black'],
    sizes: ['one size'],
    stock: 33,
    text: '400 lumens, charges over USB-C.',
  },
  {
    id: 'trek-poles',
    name: 'Trek Poles',
    category: 'gear',
    price: 69,
    colours: ['grey'],
    sizes: ['pair'],
    stock: 0,
    text: 'Folding carbon poles. Back in spring.',
  },
];

export const categories = [...new Set(products.map((product) => product.category))];

export function productById(id) {
  const product = products.find((candidate) => candidate.id === id);
  if (!product) {
    throw new Error(
      `No product "${id}". Use an id from search_products, for example "${products[0].id}".`,
    );
  }
  return product;
}

export function findProducts({ query = '', category, max_price, sort } = {}) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/s$/, ''));
  const found = products.filter((product) => {
    const text =
      `${product.name} ${product.category} ${product.text} ${product.colours.join(' ')}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (!category || product.category === category) &&
      (max_price === undefined || product.price <= max_price)
    );
  });
  if (sort === 'cheapest') found.sort((a, b) => a.price - b.price);
  if (sort === 'dearest') found.sort((a, b) => b.price - a.price);
  return found;
}
