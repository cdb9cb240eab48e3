package device

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenableTellsWhatToDo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := Openable(filepath.Join(folder, "none"), "enable it"); !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "/none: there is no such device: enable it") {
		t.Errorf("%v", err)
	}
	if err := Openable(folder, ""); err == nil || strings.Count(err.Error(), folder) != 1 {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(folder, "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Openable(path, ""); err != nil {
		t.Error(err)
	}
	if os.Getuid() == 0 {
		return // root may open everything
	}
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := Openable(path, ""); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "no permission: ") {
		t.Errorf("%v", err)
	}
}

func TestPermissionNamesTheGroup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "device")
	if err := os.WriteFile(path, nil, 0o660); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o660); err != nil {
		t.Fatal(err)
	}
	got := Permission(path)
	if os.Getgid() == 0 {
		if os.Chown(path, -1, 20) != nil {
			t.Skip("cannot give a file to another group here")
		}
		if !strings.Contains(got, "install the udev rules") {
			t.Errorf("a file of root: %s", got)
		}
		got = Permission(path)
	}
	if !strings.Contains(got, "usermod -aG ") {
		t.Errorf("a file of a group: %s", got)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Permission(path); !strings.Contains(got, "udev rules") {
		t.Errorf("a file of one user: %s", got)
	}
}
