// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A GPIO chip with the lines of a Raspberry Pi's header, some of which are
 * wired as a switch matrix: a chessboard with a reed contact a square.
 *
 * The wiring is in the driver: a closed contact joins the net of its row with
 * the net of its column, and the level of every line follows from what is
 * driven, pulled and joined. So a program that scans the board sees what it
 * would see of the real one, ghosts of a board without diodes included, and
 * nothing races with it in user space.
 *
 * In /sys/devices/platform/gpio-reedmatrix.0/:
 *   switches   rw  hex, bit row*cols+col: 1 = closed
 *   diodes     rw  0 none, 1 anode at the column (rows driven low),
 *                  2 anode at the row (rows driven high)
 *   grounded   rw  hex of the lines that something outside holds low (a
 *                  button, the interrupt output of a chip)
 *   settle_us  rw  a new level is seen only so long after its cause
 *   bounce_us  rw  a contact chatters for so long after it has changed
 *   levels     ro  hex, one bit a line
 *   driven     ro  hex of the lines that are outputs
 *   stats      rw  counts by name; any write sets them to 0:
 *                  conflicts  output against output, a short circuit
 *                  overlaps   several rows driven active at once
 *                  writes, reads, early (read before it had settled),
 *                  chatter    (read while a contact chattered)
 *
 * What the outside world does (all that can be written) outlives the chip:
 * unbind and bind take the chip away and give it back, with the men in place.
 */
#include <linux/gpio/driver.h>
#include <linux/hash.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/version.h>

#define MAX_LINES 64
#define MAX_SIDE 8
#define CHATTER_NS 300000	/* how long a chattering contact stays as it is */

static unsigned int lines = 54;
static char *label = "pinctrl-bcm2835";
static int rows[MAX_SIDE] = { 5, 6, 12, 13, 16, 19, 20, 21 };
static int cols[MAX_SIDE] = { 17, 18, 22, 23, 24, 25, 26, 27 };
static unsigned int nrows = MAX_SIDE, ncols = MAX_SIDE;
module_param(lines, uint, 0444);
module_param(label, charp, 0444);
module_param_array(rows, int, &nrows, 0444);
MODULE_PARM_DESC(rows, "the lines that are rows");
module_param_array(cols, int, &ncols, 0444);
MODULE_PARM_DESC(cols, "the lines that are columns");

enum pull { PULL_NONE, PULL_UP, PULL_DOWN };

struct rm_line {
	bool out, val;		/* as the program has set it */
	u8 pull;
	bool level, old;	/* the level, and the one before */
	u64 since;
	unsigned int edges;	/* IRQ_TYPE_EDGE_* that somebody waits for */
};

/* The world outside the chip. */
static struct {
	spinlock_t lock;	/* guards struct rm too */
	u64 closed;		/* where the magnets are */
	u64 changed_at[MAX_SIDE * MAX_SIDE];
	u64 grounded;
	unsigned int diodes;
	u64 settle_ns, bounce_ns;
} world;

struct rm {
	struct gpio_chip gc;
	struct rm_line l[MAX_LINES];
	u64 seen;		/* the contacts as they were when the nets were last solved */
	bool chattering;
	u64 conflicts, overlaps, writes, reads, early, chatter;
};

/* Which contacts are closed now: one that has just changed is open and closed by turns. */
static u64 rm_contacts(struct rm *m, u64 now)
{
	u64 sw = world.closed;
	unsigned int i;

	m->chattering = false;
	if (!world.bounce_ns)
		return sw;
	for (i = 0; i < nrows * ncols; i++) {
		u64 age = now - world.changed_at[i];

		if (!world.changed_at[i] || age >= world.bounce_ns)
			continue;
		m->chattering = true;
		if (hash_64(world.changed_at[i] + div_u64(age, CHATTER_NS) * (i + 1), 1))
			sw ^= BIT_ULL(i);
	}
	return sw;
}

/* Solves the levels of all lines. Called with the lock held. Returns the lines that changed. */
static u64 rm_solve(struct rm *m, u64 now)
{
	u8 net[MAX_LINES];
	u64 hi = 0, lo = 0, up = 0, dn = 0, changed = 0, sw = rm_contacts(m, now);
	unsigned int i, r, c, active = 0;
	bool again = !world.diodes;

	m->seen = sw;
	for (i = 0; i < lines; i++)
		net[i] = i;
	/* Without diodes a closed contact joins two nets both ways. */
	while (again) {
		again = false;
		for (i = 0; i < nrows * ncols; i++) {
			u8 *a = &net[rows[i / ncols]], *b = &net[cols[i % ncols]];

			if (!(sw >> i & 1) || *a == *b)
				continue;
			*a = *b = min(*a, *b);
			again = true;
		}
	}
	for (i = 0; i < lines; i++) {
		struct rm_line *l = &m->l[i];
		u64 n = BIT_ULL(net[i]);

		if (world.grounded >> i & 1)
			lo |= n;
		if (l->out)
			*(l->val ? &hi : &lo) |= n;
		else if (l->pull == PULL_UP)
			up |= n;
		else if (l->pull == PULL_DOWN)
			dn |= n;
	}
	/* With diodes only a row can act on a column. */
	for (i = 0; world.diodes && i < nrows * ncols; i++) {
		struct rm_line *row = &m->l[rows[i / ncols]];

		if (!(sw >> i & 1) || !row->out)
			continue;
		if (world.diodes == 1 && !row->val)
			lo |= BIT_ULL(cols[i % ncols]);
		if (world.diodes == 2 && row->val)
			hi |= BIT_ULL(cols[i % ncols]);
	}
	for (i = 0; i < lines; i++) {
		struct rm_line *l = &m->l[i];
		u64 n = BIT_ULL(net[i]);
		bool v = l->level;	/* what floats keeps its charge */

		if (hi & lo & n) {
			if (net[i] == i)
				m->conflicts++;
			v = false;
		} else if ((hi | lo) & n) {
			v = hi & n;
		} else if (!(up & n) != !(dn & n)) {
			v = up & n;
		}
		if (l->level == v)
			continue;
		changed |= BIT_ULL(i);
		l->old = l->level;
		l->since = now;
		l->level = v;
	}
	for (r = 0, c = 0; r < nrows; r++) {
		struct rm_line *row = &m->l[rows[r]];

		active += row->out && row->val == (world.diodes == 2);
	}
	if (active > 1)
		m->overlaps++;
	return changed;
}

static void rm_notify(struct rm *m, u64 changed)
{
	unsigned int i;

	for (i = 0; i < lines; i++) {
		struct rm_line *l = &m->l[i];

		if (!(changed >> i & 1) || l->out)
			continue;
		if (l->edges & (l->level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING)) {
			unsigned long flags;

			local_irq_save(flags);
			generic_handle_domain_irq(m->gc.irq.domain, i);
			local_irq_restore(flags);
		}
	}
}

static void rm_update(struct rm *m, unsigned int off, int out, int val, int pull)
{
	unsigned long flags;
	u64 changed;

	spin_lock_irqsave(&world.lock, flags);
	if (out >= 0)
		m->l[off].out = out;
	if (val >= 0) {
		m->l[off].val = val;
		m->writes++;
	}
	if (pull >= 0)
		m->l[off].pull = pull;
	changed = rm_solve(m, ktime_get_ns());
	spin_unlock_irqrestore(&world.lock, flags);
	rm_notify(m, changed);
}

static int rm_get_direction(struct gpio_chip *gc, unsigned int off)
{
	struct rm *m = gpiochip_get_data(gc);

	return m->l[off].out ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int rm_direction_input(struct gpio_chip *gc, unsigned int off)
{
	rm_update(gpiochip_get_data(gc), off, 0, -1, -1);
	return 0;
}

static int rm_direction_output(struct gpio_chip *gc, unsigned int off, int val)
{
	rm_update(gpiochip_get_data(gc), off, 1, !!val, -1);
	return 0;
}

static int rm_get(struct gpio_chip *gc, unsigned int off)
{
	struct rm *m = gpiochip_get_data(gc);
	struct rm_line *l = &m->l[off];
	unsigned long flags;
	u64 now, changed = 0;
	int v;

	spin_lock_irqsave(&world.lock, flags);
	now = ktime_get_ns();
	if (m->chattering) {
		m->chatter++;
		if (rm_contacts(m, now) != m->seen)
			changed = rm_solve(m, now);
	}
	m->reads++;
	v = l->level;
	if (world.settle_ns && !l->out && now - l->since < world.settle_ns) {
		if (v != l->old)
			m->early++;
		v = l->old;
	}
	spin_unlock_irqrestore(&world.lock, flags);
	rm_notify(m, changed);
	return v;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
static int rm_set(struct gpio_chip *gc, unsigned int off, int val)
{
	rm_update(gpiochip_get_data(gc), off, -1, !!val, -1);
	return 0;
}
#else
static void rm_set(struct gpio_chip *gc, unsigned int off, int val)
{
	rm_update(gpiochip_get_data(gc), off, -1, !!val, -1);
}
#endif

static int rm_set_config(struct gpio_chip *gc, unsigned int off, unsigned long config)
{
	static const struct { int param, pull; } bias[] = {
		{ PIN_CONFIG_BIAS_PULL_UP, PULL_UP },
		{ PIN_CONFIG_BIAS_PULL_DOWN, PULL_DOWN },
		{ PIN_CONFIG_BIAS_DISABLE, PULL_NONE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bias); i++)
		if (pinconf_to_config_param(config) == bias[i].param) {
			rm_update(gpiochip_get_data(gc), off, -1, -1, bias[i].pull);
			return 0;
		}
	return -ENOTSUPP;	/* open drain and debouncing are gpiolib's, as on a Pi */
}

/* A line that is let go is an input again, as on a Pi. */
static void rm_free(struct gpio_chip *gc, unsigned int off)
{
	rm_update(gpiochip_get_data(gc), off, 0, -1, -1);
}

static int rm_irq_set_type(struct irq_data *d, unsigned int type)
{
	struct rm *m = gpiochip_get_data(irq_data_get_irq_chip_data(d));

	if (type & ~IRQ_TYPE_EDGE_BOTH)
		return -EINVAL;
	m->l[irqd_to_hwirq(d)].edges = type;
	return 0;
}

static void rm_irq_mask(struct irq_data *d)
{
	gpiochip_disable_irq(irq_data_get_irq_chip_data(d), irqd_to_hwirq(d));
}

static void rm_irq_unmask(struct irq_data *d)
{
	gpiochip_enable_irq(irq_data_get_irq_chip_data(d), irqd_to_hwirq(d));
}

static const struct irq_chip rm_irq_chip = {
	.name = "reedmatrix", .irq_set_type = rm_irq_set_type,
	.irq_mask = rm_irq_mask, .irq_unmask = rm_irq_unmask,
	.flags = IRQCHIP_IMMUTABLE, GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

/* hex or decimal number from sysfs, stored under the lock; then the levels are solved anew. */
static ssize_t rm_store(struct device *dev, const char *buf, size_t len, int base,
			void (*put)(u64 v, u64 now))
{
	struct rm *m = dev_get_drvdata(dev);
	unsigned long flags;
	u64 v, now, changed;
	int ret = kstrtou64(buf, base, &v);

	if (ret)
		return ret;
	spin_lock_irqsave(&world.lock, flags);
	now = ktime_get_ns();
	put(v, now);
	changed = rm_solve(m, now);
	spin_unlock_irqrestore(&world.lock, flags);
	rm_notify(m, changed);
	return len;
}

static void put_switches(u64 v, u64 now)
{
	unsigned int i;

	for (i = 0; i < nrows * ncols; i++)
		if ((v ^ world.closed) >> i & 1)
			world.changed_at[i] = now;
	world.closed = v;
}
static void put_diodes(u64 v, u64 now) { world.diodes = min_t(u64, v, 2); }
static void put_grounded(u64 v, u64 now) { world.grounded = v; }
static void put_settle_us(u64 v, u64 now) { world.settle_ns = v * 1000; }
static void put_bounce_us(u64 v, u64 now) { world.bounce_ns = v * 1000; }

#define RM_ATTR(name, base, format, value)						\
static ssize_t name##_show(struct device *dev, struct device_attribute *a, char *buf)	\
{											\
	return sysfs_emit(buf, format, value);						\
}											\
static ssize_t name##_store(struct device *dev, struct device_attribute *a,		\
			    const char *buf, size_t len)				\
{											\
	return rm_store(dev, buf, len, base, put_##name);				\
}											\
static DEVICE_ATTR_RW(name)

RM_ATTR(switches, 16, "%llx\n", world.closed);
RM_ATTR(diodes, 10, "%u\n", world.diodes);
RM_ATTR(grounded, 16, "%llx\n", world.grounded);
RM_ATTR(settle_us, 10, "%llu\n", div_u64(world.settle_ns, 1000));
RM_ATTR(bounce_us, 10, "%llu\n", div_u64(world.bounce_ns, 1000));

static ssize_t levels_show(struct device *dev, struct device_attribute *a, char *buf)
{
	struct rm *m = dev_get_drvdata(dev);
	u64 v = 0;
	unsigned int i;

	for (i = 0; i < lines; i++)
		v |= (u64)m->l[i].level << i;
	return sysfs_emit(buf, "%llx\n", v);
}
static DEVICE_ATTR_RO(levels);

static ssize_t driven_show(struct device *dev, struct device_attribute *a, char *buf)
{
	struct rm *m = dev_get_drvdata(dev);
	u64 v = 0;
	unsigned int i;

	for (i = 0; i < lines; i++)
		v |= (u64)m->l[i].out << i;
	return sysfs_emit(buf, "%llx\n", v);
}
static DEVICE_ATTR_RO(driven);

static ssize_t stats_show(struct device *dev, struct device_attribute *a, char *buf)
{
	struct rm *m = dev_get_drvdata(dev);

	return sysfs_emit(buf, "conflicts %llu\noverlaps %llu\nwrites %llu\nreads %llu\nearly %llu\nchatter %llu\n",
			  m->conflicts, m->overlaps, m->writes, m->reads, m->early, m->chatter);
}

static ssize_t stats_store(struct device *dev, struct device_attribute *a,
			   const char *buf, size_t len)
{
	struct rm *m = dev_get_drvdata(dev);

	m->conflicts = m->overlaps = m->writes = m->reads = m->early = m->chatter = 0;
	return len;
}
static DEVICE_ATTR_RW(stats);

static struct attribute *rm_attrs[] = {
	&dev_attr_switches.attr, &dev_attr_diodes.attr, &dev_attr_grounded.attr,
	&dev_attr_settle_us.attr, &dev_attr_bounce_us.attr, &dev_attr_levels.attr,
	&dev_attr_driven.attr, &dev_attr_stats.attr, NULL
};
ATTRIBUTE_GROUPS(rm);

static int rm_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct rm *m = devm_kzalloc(dev, sizeof(*m), GFP_KERNEL);

	if (!m)
		return -ENOMEM;
	platform_set_drvdata(pdev, m);
	m->gc = (struct gpio_chip) {
		.label = label, .parent = dev, .owner = THIS_MODULE, .base = -1,
		.ngpio = lines,
		.get_direction = rm_get_direction, .direction_input = rm_direction_input,
		.direction_output = rm_direction_output, .get = rm_get, .set = rm_set,
		.set_config = rm_set_config, .free = rm_free,
	};
	gpio_irq_chip_set_chip(&m->gc.irq, &rm_irq_chip);
	m->gc.irq.handler = handle_simple_irq;
	m->gc.irq.default_type = IRQ_TYPE_NONE;
	return devm_gpiochip_add_data(dev, &m->gc, m);
}

static struct platform_driver rm_driver = {
	.driver = { .name = "gpio-reedmatrix", .dev_groups = rm_groups },
	.probe = rm_probe,
};
static struct platform_device *rm_pdev;

/*
 * The names come as a property of the device, as from a device tree, and not
 * with the chip: for those Linux 6.1 looks through the names of all chips, and
 * falls over one that has gone while its lines are in use. The node is ours
 * and not the device's: of one that it manages Linux 6.1 gives up a reference
 * more each time the chip goes.
 */
static struct property_entry rm_properties[2];
static const struct software_node rm_node = {
	.name = "gpio-reedmatrix", .properties = rm_properties,
};

static int __init rm_init(void)
{
	static char text[MAX_LINES][8];
	static const char *names[MAX_LINES];
	struct platform_device_info info = { .name = "gpio-reedmatrix" };
	unsigned int i;
	int ret;

	if (!lines || lines > MAX_LINES || !nrows || !ncols)
		return -EINVAL;
	for (i = 0; i < nrows; i++)
		if (rows[i] < 0 || rows[i] >= lines)
			return -EINVAL;
	for (i = 0; i < ncols; i++)
		if (cols[i] < 0 || cols[i] >= lines)
			return -EINVAL;
	for (i = 0; i < lines; i++) {
		snprintf(text[i], sizeof(text[i]), "GPIO%u", i);
		names[i] = text[i];
	}
	rm_properties[0] = PROPERTY_ENTRY_STRING_ARRAY_LEN("gpio-line-names", names, lines);
	spin_lock_init(&world.lock);
	ret = software_node_register(&rm_node);
	if (ret)
		return ret;
	info.fwnode = software_node_fwnode(&rm_node);
	ret = platform_driver_register(&rm_driver);
	if (ret) {
		software_node_unregister(&rm_node);
		return ret;
	}
	rm_pdev = platform_device_register_full(&info);
	if (IS_ERR(rm_pdev)) {
		platform_driver_unregister(&rm_driver);
		software_node_unregister(&rm_node);
		return PTR_ERR(rm_pdev);
	}
	return 0;
}

static void __exit rm_exit(void)
{
	platform_device_unregister(rm_pdev);
	platform_driver_unregister(&rm_driver);
	software_node_unregister(&rm_node);
}
module_init(rm_init);
module_exit(rm_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("GPIO chip wired as the contacts of a chessboard, for tests");
