// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An I2C adapter and an SPI controller whose chips live in user space.
 *
 * The program under test uses /dev/i2c-N and /dev/spidevN.M as on hardware.
 * Each transfer becomes a request that a test program reads from /dev/testbus
 * and answers with a write. With nobody there, I2C gets ENXIO (no chip
 * acknowledged) and SPI reads zeroes (an open MISO).
 *
 * One request per read():  struct tb_req, then txlen bytes
 * One answer per write():  struct tb_ans, then rxlen bytes
 *
 * An I2C write and the read of the same chip that follows it without a stop
 * are one request, as they are one transaction to whoever plays the chip.
 */
#include <linux/completion.h>
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/wait.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define spi_alloc_host spi_alloc_master
#endif

static int i2c_bus = 1, spi_bus;
static unsigned int chipselects = 2, timeout_ms = 2000;
module_param(i2c_bus, int, 0444);
module_param(spi_bus, int, 0444);
module_param(chipselects, uint, 0444);
module_param(timeout_ms, uint, 0644);

#define TB_I2C 0
#define TB_SPI 1
#define TB_LAST 1	/* flags: stop / chip select released after this one */
#define TB_MAX 65536

struct tb_req {
	u32 id;
	u8 bus, flags;
	u16 addr;		/* I2C address or chip select */
	u32 txlen, rxlen;
	u32 speed;		/* SPI clock in Hz */
	u16 mode;		/* SPI mode bits */
	u8 bits, pad;
};

struct tb_ans { u32 id; s32 status; };	/* status: 0 or -errno */

static DEFINE_MUTEX(bus_lock);		/* one transfer at a time */
static DEFINE_MUTEX(tb_lock);
static DECLARE_WAIT_QUEUE_HEAD(tb_wait);
static DECLARE_COMPLETION(tb_done);
static struct tb_req tb_cur;
static const u8 *tb_tx;
static u8 *tb_rx;
static int tb_status, tb_open;
static bool tb_pending, tb_taken;

static int tb_transfer(struct tb_req *r, const u8 *tx, u8 *rx)
{
	static u32 id;
	int ret;

	mutex_lock(&bus_lock);
	mutex_lock(&tb_lock);
	if (!tb_open) {
		mutex_unlock(&tb_lock);
		mutex_unlock(&bus_lock);
		if (r->bus == TB_I2C)
			return -ENXIO;
		if (rx)
			memset(rx, 0, r->rxlen);
		return 0;
	}
	r->id = ++id;
	tb_cur = *r;
	tb_tx = tx;
	tb_rx = rx;
	tb_status = -ETIMEDOUT;
	tb_pending = true;
	tb_taken = false;
	reinit_completion(&tb_done);
	mutex_unlock(&tb_lock);
	wake_up_interruptible(&tb_wait);
	wait_for_completion_timeout(&tb_done, msecs_to_jiffies(timeout_ms));
	mutex_lock(&tb_lock);
	tb_pending = tb_taken = false;
	ret = tb_status;
	mutex_unlock(&tb_lock);
	mutex_unlock(&bus_lock);
	return ret;
}

static int tb_fopen(struct inode *i, struct file *f)
{
	int ret = 0;

	mutex_lock(&tb_lock);
	if (tb_open)
		ret = -EBUSY;
	else
		tb_open = 1;
	mutex_unlock(&tb_lock);
	return ret;
}

static int tb_release(struct inode *i, struct file *f)
{
	mutex_lock(&tb_lock);
	tb_open = 0;
	if (tb_pending) {
		tb_status = -EIO;
		complete(&tb_done);
	}
	mutex_unlock(&tb_lock);
	return 0;
}

static ssize_t tb_read(struct file *f, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t ret;

	for (;;) {
		if (!(f->f_flags & O_NONBLOCK)) {
			ret = wait_event_interruptible(tb_wait, tb_pending && !tb_taken);
			if (ret)
				return ret;
		}
		mutex_lock(&tb_lock);
		if (tb_pending && !tb_taken)
			break;
		mutex_unlock(&tb_lock);
		if (f->f_flags & O_NONBLOCK)
			return -EAGAIN;
	}
	ret = sizeof(tb_cur) + tb_cur.txlen;
	if (len < ret)
		ret = -EMSGSIZE;
	else if (copy_to_user(buf, &tb_cur, sizeof(tb_cur)) ||
		 (tb_cur.txlen && copy_to_user(buf + sizeof(tb_cur), tb_tx, tb_cur.txlen)))
		ret = -EFAULT;
	else
		tb_taken = true;
	mutex_unlock(&tb_lock);
	return ret;
}

static ssize_t tb_write(struct file *f, const char __user *buf, size_t len, loff_t *pos)
{
	struct tb_ans a;
	ssize_t ret = len;

	if (len < sizeof(a) || copy_from_user(&a, buf, sizeof(a)))
		return -EINVAL;
	mutex_lock(&tb_lock);
	if (!tb_pending || !tb_taken || a.id != tb_cur.id) {
		ret = -ESTALE;	/* too late: the transfer has timed out */
	} else if (a.status == 0 && len - sizeof(a) != (tb_rx ? tb_cur.rxlen : 0)) {
		ret = -EMSGSIZE;
	} else if (a.status == 0 && tb_rx && copy_from_user(tb_rx, buf + sizeof(a), tb_cur.rxlen)) {
		ret = -EFAULT;
	} else {
		tb_status = a.status > 0 ? -EIO : a.status;
		tb_pending = false;
		complete(&tb_done);
	}
	mutex_unlock(&tb_lock);
	return ret;
}

static __poll_t tb_poll(struct file *f, poll_table *w)
{
	poll_wait(f, &tb_wait, w);
	return EPOLLOUT | EPOLLWRNORM | (tb_pending && !tb_taken ? EPOLLIN | EPOLLRDNORM : 0);
}

static const struct file_operations tb_fops = {
	.owner = THIS_MODULE, .open = tb_fopen, .release = tb_release,
	.read = tb_read, .write = tb_write, .poll = tb_poll,
};
static struct miscdevice tb_misc = {
	.minor = MISC_DYNAMIC_MINOR, .name = "testbus", .fops = &tb_fops,
};

static int tb_i2c_xfer(struct i2c_adapter *ad, struct i2c_msg *msgs, int num)
{
	int i, ret;

	for (i = 0; i < num; i++) {
		struct i2c_msg *w = NULL, *r = NULL;
		struct tb_req q = { .bus = TB_I2C, .addr = msgs[i].addr };

		if (msgs[i].flags & I2C_M_RD)
			r = &msgs[i];
		else
			w = &msgs[i];
		if (w && i + 1 < num && msgs[i + 1].flags & I2C_M_RD && msgs[i + 1].addr == w->addr)
			r = &msgs[++i];
		q.flags = i == num - 1 ? TB_LAST : 0;
		q.txlen = w ? w->len : 0;
		q.rxlen = r ? r->len : 0;
		ret = tb_transfer(&q, w ? w->buf : NULL, r ? r->buf : NULL);
		if (ret)
			return ret;
	}
	return num;
}

static u32 tb_i2c_func(struct i2c_adapter *ad)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm tb_algo = {
	.master_xfer = tb_i2c_xfer, .functionality = tb_i2c_func,
};
static struct i2c_adapter tb_i2c = {
	.owner = THIS_MODULE, .algo = &tb_algo, .name = "testbus i2c",
};

static int tb_spi_one(struct spi_controller *c, struct spi_device *spi, struct spi_transfer *t)
{
	struct tb_req r = {
		.bus = TB_SPI,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
		.addr = spi->chip_select,
#else
		.addr = spi_get_chipselect(spi, 0),
#endif
		.flags = spi_transfer_is_last(c, t) != t->cs_change ? TB_LAST : 0,
		.txlen = t->tx_buf ? t->len : 0, .rxlen = t->rx_buf ? t->len : 0,
		.speed = t->speed_hz, .mode = spi->mode, .bits = t->bits_per_word,
	};

	return tb_transfer(&r, t->tx_buf, t->rx_buf);
}

static size_t tb_spi_max(struct spi_device *spi) { return TB_MAX; }
static void tb_spi_cs(struct spi_device *spi, bool on) { }

static struct platform_device *tb_pdev;
static struct spi_controller *tb_ctlr;

static int __init tb_init(void)
{
	unsigned int i;
	int ret;

	tb_pdev = platform_device_register_simple("testbus", -1, NULL, 0);
	if (IS_ERR(tb_pdev))
		return PTR_ERR(tb_pdev);
	ret = misc_register(&tb_misc);
	if (ret)
		goto e_pdev;
	tb_i2c.nr = i2c_bus;
	tb_i2c.dev.parent = &tb_pdev->dev;
	tb_i2c.timeout = HZ * 5;
	ret = i2c_add_numbered_adapter(&tb_i2c);
	if (ret)
		goto e_misc;
	tb_ctlr = spi_alloc_host(&tb_pdev->dev, 0);
	if (!tb_ctlr) {
		ret = -ENOMEM;
		goto e_i2c;
	}
	tb_ctlr->bus_num = spi_bus;
	tb_ctlr->num_chipselect = chipselects;
	tb_ctlr->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_LSB_FIRST | SPI_3WIRE | SPI_NO_CS;
	tb_ctlr->bits_per_word_mask = SPI_BPW_RANGE_MASK(1, 32);
	tb_ctlr->max_speed_hz = 125000000;
	tb_ctlr->transfer_one = tb_spi_one;
	tb_ctlr->set_cs = tb_spi_cs;
	tb_ctlr->max_transfer_size = tb_spi_max;
	ret = spi_register_controller(tb_ctlr);
	if (ret) {
		spi_controller_put(tb_ctlr);
		goto e_i2c;
	}
	for (i = 0; i < chipselects; i++) {
		/* spidev binds by name to a short list of chips only; this is one */
		struct spi_board_info info = {
			.modalias = "dh2228fv", .max_speed_hz = 125000000,
			.bus_num = spi_bus, .chip_select = i,
		};

		if (!spi_new_device(tb_ctlr, &info))
			pr_warn("testbus: no spidev%d.%u\n", spi_bus, i);
	}
	return 0;
e_i2c:
	i2c_del_adapter(&tb_i2c);
e_misc:
	misc_deregister(&tb_misc);
e_pdev:
	platform_device_unregister(tb_pdev);
	return ret;
}

static void __exit tb_exit(void)
{
	spi_unregister_controller(tb_ctlr);
	i2c_del_adapter(&tb_i2c);
	misc_deregister(&tb_misc);
	platform_device_unregister(tb_pdev);
}
module_init(tb_init);
module_exit(tb_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("I2C and SPI buses answered from user space, for tests");
