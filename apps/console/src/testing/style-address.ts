/** Stands for the address of a stylesheet, which jsdom does not load. */
export default '/styles.css';
